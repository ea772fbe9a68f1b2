import { expect, it } from '@jest/globals';
import type { Caller } from '@tocsin/http';
import { accountKey } from '@tocsin/testkit';
import { setUpApp } from '../testing/app-fixture.ts';

async function ask(path: string, caller?: Caller) {
  const dueAt = new Date('2026-01-05T07:00:00Z');
  const asked: Date[] = [];
  const { ask: send } = setUpApp({
    undelivered: {
      find: () => Promise.resolve([1, 4].map((messages) => ({ queue: `email:${messages}`, messages, dueAt }))),
      counts: (since) => {
        asked.push(since);
        return Promise.resolve({ waiting: 6, sent: 3, delivered: 9, failed: 2, dropped: 1, heldBack: 0 });
      },
    },
  });
  const answer = await send('get', path, caller);
  return { body: answer.body as unknown, status: answer.status, asked };
}

it('gives the outcomes of messages since an instant', async () => {
  const { asked, body, status } = await ask('/internal/ledger?since=2026-01-05T07:30:00Z');
  expect(status).toBe(200);
  expect(body).toMatchObject({ data: { waiting: 6, sent: 3, delivered: 9, failed: 2, dropped: 1, undelivered: 5 } });
  expect(asked).toEqual([new Date('2026-01-05T07:30:00Z')]);
});

it('refuses a request without an instant, and a caller that is no service', async () => {
  expect((await ask('/internal/ledger')).status).toBe(422);
  expect((await ask('/internal/ledger?since=2026-01-05T07:30:00Z', accountKey)).status).toBe(403);
});
