import { expect, it } from '@jest/globals';
import type { IntegrationState } from '@tocsin/events';
import { MemoryReplica } from '@tocsin/kafka';
import type { PartFailure, ShownOnCall } from '../chat/on-call/on-call.ts';
import { setUpApp } from '../testing/app-fixture.ts';

const state = (id: string, change: Partial<IntegrationState> = {}): IntegrationState => ({
  id,
  name: `Chat ${id}`,
  type: 'SlackApp',
  enabled: true,
  allowReadAccess: true,
  allowWriteAccess: true,
  allowConfigurationAccess: false,
  suppressNotifications: false,
  webhook: { alertActions: ['Create'], alertFilter: { type: 'match-all', conditions: [] } },
  ...change,
});

/** No channel shows who is on call. */
const shownOnCalls = { all: () => Promise.resolve(new Map<string, ShownOnCall>()) };
const sockets = { all: () => Promise.resolve([]) };

const failed = { at: new Date('2026-01-05T07:00:00Z'), reason: 'channel_not_found' };

it('that the updates of the bot cannot be read is a finding once that lasts for 5 minutes', async () => {
  const calls = {
    lastFailed: () => Promise.resolve(undefined),
    failedDeletions: () => Promise.resolve(undefined),
  };
  const since = new Date('2026-01-05T07:55:00Z');
  const findings = async (failure: { since: Date; reason: string } | undefined) => {
    const botFailure = () => Promise.resolve(failure);
    const { ask } = setUpApp({
      readiness: {
        calls,
        shownOnCalls,
        sockets,
        integrations: new MemoryReplica<IntegrationState>(),
        botFailure,
      },
    });
    const answer = await ask('get', '/internal/readiness', { service: 'scheduling' });
    return (answer.body as { data: unknown[] }).data;
  };
  expect(await findings(undefined)).toEqual([]);
  expect(await findings({ since: new Date(since.getTime() + 1), reason: 'it answered 409' })).toEqual([]);
  expect(await findings({ since, reason: 'it answered 409' })).toMatchObject([
    {
      kind: 'bot-unread',
      entity: { type: 'account', id: 'telegram', name: 'Telegram' },
      message: expect.stringContaining(
        'cannot be read since 2026-01-05T07:55:00Z: it answered 409. Buttons have no effect',
      ),
    },
  ]);
});

it('the integrations whose last post failed are findings, and those that are disabled or post nothing are not', async () => {
  const integrations = new MemoryReplica<IntegrationState>();
  integrations.put('a', state('a', { ownerTeamId: 't1' }));
  integrations.put('b', state('b', { enabled: false }));
  const { webhook: _none, ...silent } = state('c');
  integrations.put('c', silent);
  integrations.put('d', state('d'));
  const asked: unknown[] = [];
  const calls = {
    lastFailed: (id: string, since: Date) => {
      asked.push([id, since]);
      return Promise.resolve(id === 'd' ? undefined : failed);
    },
    failedDeletions: () => Promise.resolve(undefined),
  };
  const { ask } = setUpApp({ readiness: { calls, shownOnCalls, sockets, integrations } });
  expect(await ask('get', '/internal/readiness', { service: 'scheduling' })).toMatchObject({
    status: 200,
    body: {
      isComplete: true,
      data: [
        {
          kind: 'post-refused',
          severity: 'warning',
          teamIds: ['t1'],
          entity: { type: 'integration', id: 'a', name: 'Chat a' },
          path: '/v2/integrations/a',
          message:
            'The last post of integration [Chat a] was not accepted, at 2026-01-05T07:00:00Z: channel_not_found. What happens to alerts is not seen there.',
          remedy: expect.stringContaining('Mend what the reason names'),
        },
      ],
    },
  });
  const since = new Date('2025-12-22T08:00:00Z');
  expect(asked).toEqual([
    ['a', since],
    ['d', since],
  ]);
});

it('a channel that did not take deletions is a finding, also where it takes posts, and a webhook that did not is none', async () => {
  const integrations = new MemoryReplica<IntegrationState>();
  integrations.put('a', state('a'));
  integrations.put('b', state('b', { type: 'Webhook' }));
  const calls = {
    lastFailed: () => Promise.resolve(undefined),
    failedDeletions: () => Promise.resolve({ ...failed, count: 2 }),
  };
  const { ask } = setUpApp({ readiness: { calls, shownOnCalls, sockets, integrations } });
  expect(await ask('get', '/internal/readiness', { service: 'scheduling' })).toMatchObject({
    body: {
      data: [
        {
          kind: 'post-refused',
          entity: { id: 'a' },
          message:
            'The channel of integration [Chat a] may still show words of 2 deleted alerts: it did not take the deletion, last at 2026-01-05T07:00:00Z: channel_not_found.',
          remedy: expect.stringMatching(/^Remove the posts/),
        },
      ],
    },
  });
});

it('the integrations whose channel does not show who is on call are findings (C10)', async () => {
  const integrations = new MemoryReplica<IntegrationState>();
  const onCall = [{ schedule: { id: 's1', name: 'Database' }, topic: true, announce: false }];
  for (const id of ['a', 'b']) {
    const { webhook: _none, ...silent } = state(id, { onCall });
    integrations.put(id, silent);
  }
  const failure = (fields: Partial<PartFailure>): PartFailure => ({
    since: new Date('2026-01-05T07:50:00Z'),
    reason: 'it answered missing_scope',
    isForGood: false,
    tries: 3,
    retryAt: new Date('2026-01-05T08:02:00Z'),
    ...fields,
  });
  const rows = new Map<string, ShownOnCall>([
    ['a', { parts: {}, failures: { topic: failure({ isForGood: true }) } }],
    // It may pass, and lasts for 10 minutes.
    ['b', { parts: {}, failures: { topic: failure({}) } }],
  ]);
  const calls = {
    lastFailed: () => Promise.reject(new Error('It posts no alerts.')),
    failedDeletions: () => Promise.reject(new Error('It posts no alerts.')),
  };
  const { ask } = setUpApp({
    readiness: { calls, integrations, sockets, shownOnCalls: { all: () => Promise.resolve(rows) } },
  });
  expect(await ask('get', '/internal/readiness', { service: 'scheduling' })).toMatchObject({
    body: {
      data: [
        {
          kind: 'post-refused',
          entity: { id: 'a' },
          message:
            'The channel of integration [Chat a] does not show who is on call since 2026-01-05T07:50:00Z: it answered missing_scope.',
        },
      ],
    },
  });
});
