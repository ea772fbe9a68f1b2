import { expect, it } from '@jest/globals';
import supertest from 'supertest';
import { ManualClock } from '@tocsin/core';
import { PRINCIPAL_HEADER, PrincipalSigner, PrincipalVerifier } from './authentication/index.ts';
import { accountKey } from '@tocsin/testkit';
import { createServiceApp, defineRoute, type WrittenReply } from './index.ts';

const KEYS = ['a-signing-key-of-the-installation'];
const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));

async function answered(reply: WrittenReply): Promise<supertest.Response> {
  const app = createServiceApp({
    routes: [defineRoute({ operation: 'get-team', handle: () => Promise.resolve(reply) })],
    verifier: new PrincipalVerifier(KEYS, 'directory'),
    clock,
    onDefect: (error) => {
      throw new Error('unexpected defect', { cause: error });
    },
    meaningOf: (error) => error,
  });
  const token = await new PrincipalSigner(KEYS).sign(accountKey, 'directory', clock.now());
  return supertest(app).get('/v2/teams/x').set(PRINCIPAL_HEADER, token);
}

it('an answer that is no JSON is sent as it is, with its status, its type, its headers and the id of the request', async () => {
  const written = { type: 'text/html; charset=utf-8', content: '<p>één</p>' };
  const { headers, status, text } = await answered({ status: 410, headers: { 'Cache-Control': 'no-store' }, written });
  expect([status, text]).toEqual([410, '<p>één</p>']);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-length': '12',
    'cache-control': 'no-store',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

it('has the status 200 unless the route says another', async () => {
  expect((await answered({ written: { type: 'text/plain', content: '' } })).status).toBe(200);
});
