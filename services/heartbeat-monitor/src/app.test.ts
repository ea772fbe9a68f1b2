import { describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { ManualClock } from '@tocsin/clock';
import { OPERATIONS, type Operation } from '@tocsin/contracts';
import { type Principal, PRINCIPAL_HEADER, PrincipalSigner, PrincipalVerifier } from '@tocsin/key-auth';
import { accountKey } from '@tocsin/testing';
import { createApp } from './app.ts';

const SIGNING_KEY = 'a-signing-key-of-the-installation';
const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
const signer = new PrincipalSigner([SIGNING_KEY]);
const app = createApp({
  verifier: new PrincipalVerifier([SIGNING_KEY], 'heartbeat-monitor'),
  clock,
  onDefect: () => undefined,
  meaningOf: (error) => error,
});
const ask = async ({ method, path }: Operation, caller: Principal) =>
  supertest(app)
    [method.toLowerCase() as 'get'](path.replaceAll(/\{\w+\}/g, 'nightly'))
    .set(PRINCIPAL_HEADER, await signer.sign(caller, 'heartbeat-monitor', clock.now()));

const operations = OPERATIONS.filter(({ owner }) => owner === 'heartbeat-monitor').map(
  (entry) => [entry.id, entry] as const,
);

describe.each(operations)('%s', (_, operation) => {
  it('is not built: it answers that there is no handler', async () => {
    expect(await ask(operation, accountKey)).toMatchObject({ status: 404, body: { message: 'No handler found' } });
  });

  it('refuses a key without the right before it says so', async () => {
    const { status } = await ask(operation, { ...accountKey, mayWrite: false, mayConfigure: false });
    expect(status).toBe(operation.right === 'read' ? 404 : 403);
  });
});
