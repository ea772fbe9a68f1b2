import { expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import type { UserState } from '@tocsin/contracts';
import { PRINCIPAL_HEADER, PrincipalSigner, PrincipalVerifier, type Caller } from '@tocsin/key-auth';
import { MemoryReplica } from '@tocsin/messaging';
import { accountKey } from '@tocsin/testing';
import request from 'supertest';
import { createApp } from '../app.ts';
import { ActOnAlert } from '../application/act-on-alert.ts';
import { SimulatePages } from '../application/simulate-pages.ts';
import { MemoryActStore } from '../testing/memory-act-store.ts';

const KEYS = ['a secret of component tests, 32 characters'];
const clock = new ManualClock(new Date('2026-01-05T08:00:00Z'));

function ask(path: string, caller: Caller = { service: 'gateway' }) {
  const dueAt = new Date('2026-01-05T07:00:00Z');
  const asked: Date[] = [];
  const simulation = new SimulatePages({ users: new MemoryReplica<UserState>(), channels: new Set() });
  const app = createApp(
    {
      undelivered: {
        find: () => Promise.resolve([1, 4].map((messages) => ({ turn: `email:${messages}`, messages, dueAt }))),
        counts: (since) => {
          asked.push(since);
          return Promise.resolve({ waiting: 6, sent: 3, failed: 2, dropped: 1 });
        },
      },
      simulation,
      acts: new ActOnAlert({ store: new MemoryActStore(), clock }),
    },
    {
      verifier: new PrincipalVerifier(KEYS, 'notifier'),
      clock,
      onDefect: (error) => {
        throw new Error('unexpected defect', { cause: error });
      },
      meaningOf: (error) => error,
    },
  );
  return new PrincipalSigner(KEYS)
    .sign(caller, 'notifier', clock.now())
    .then((token) => request(app).get(path).set(PRINCIPAL_HEADER, token))
    .then(({ body, status }) => ({ body: body as unknown, status, asked }));
}

it('says what became of messages since an instant', async () => {
  const { asked, body, status } = await ask('/internal/ledger?since=2026-01-05T07:30:00Z');
  expect(status).toBe(200);
  expect(body).toMatchObject({ data: { waiting: 6, sent: 3, failed: 2, dropped: 1, undelivered: 5 } });
  expect(asked).toEqual([new Date('2026-01-05T07:30:00Z')]);
});

it('refuses whoever does not say since when, and whoever is no service', async () => {
  expect((await ask('/internal/ledger')).status).toBe(422);
  expect((await ask('/internal/ledger?since=2026-01-05T07:30:00Z', accountKey)).status).toBe(403);
});
