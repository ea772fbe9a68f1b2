import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import { OPERATIONS } from '@tocsin/contracts';
import { PRINCIPAL_HEADER, PrincipalSigner, PrincipalVerifier, type Principal } from '@tocsin/key-auth';
import request from 'supertest';
import { createApp } from './app.ts';

const KEYS = ['a signing key of at least thirty-two characters'];
const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
const app = createApp({
  verifier: new PrincipalVerifier(KEYS),
  clock,
  onDefect: (error) => {
    throw new Error('unexpected defect', { cause: error });
  },
});
const accountKey: Principal = {
  integrationId: 'i1',
  integrationName: 'Default API',
  integrationType: 'API',
  teamId: undefined,
  mayWrite: true,
  mayConfigure: true,
};
const own = OPERATIONS.filter(({ owner }) => owner === 'heartbeat-monitor');

async function answerTo(method: string, path: string, principal: Principal) {
  const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
  const token = await new PrincipalSigner(KEYS).sign(principal, clock.now());
  return request(app)
    [verb](path.replaceAll(/\{\w+\}/g, 'nightly'))
    .set(PRINCIPAL_HEADER, token);
}

describe('the heartbeat paths, none of which is built', () => {
  it('are known', () => {
    expect(own.length).toBeGreaterThan(5);
  });

  it.each(own)('$method $path answers 404 after the rights check', async ({ method, path }) => {
    const answer = await answerTo(method, path, accountKey);
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ message: 'No handler found' });
  });

  it.each(own.filter(({ right }) => right !== 'read'))(
    '$method $path refuses a key without the right',
    async ({ method, path }) => {
      const { status } = await answerTo(method, path, { ...accountKey, mayWrite: false, mayConfigure: false });
      expect(status).toBe(403);
    },
  );
});
