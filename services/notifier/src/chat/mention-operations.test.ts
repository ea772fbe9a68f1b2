import { expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/core';
import type { ChatChannel, FoundByMail, OnCallChatClient } from './chat-client.ts';
import { MentionResponders } from './mention-operations.ts';
import { AccountsByMail } from './on-call/accounts.ts';

const channel: ChatChannel = {
  url: 'https://slack.com/api',
  chat: { provider: 'slack', channel: 'C1', token: 'xoxb-1', thread: 'all', mention: 'responders' },
};
const responders = ['ada', 'bob'].map((name) => ({ type: 'user' as const, id: name, name }));

function setUp(answer: () => Promise<FoundByMail>) {
  const asked: string[] = [];
  const client = {
    accountWith: (_: ChatChannel, mail: string) => {
      asked.push(mail);
      return answer();
    },
  } as OnCallChatClient;
  const time = { ms: 0 };
  const mentions = new MentionResponders({
    clients: { slack: client, mattermost: client },
    accounts: new AccountsByMail(new ManualClock(new Date('2026-01-01T00:00:00Z'))),
    lookUpsMs: 0,
    nowMs: () => time.ms,
  });
  return { asked, mentions, time };
}

it.each<[string, () => Promise<FoundByMail>]>([
  ['has no answer', () => new Promise(() => undefined)],
  ['is refused', () => Promise.resolve({ kind: 'permanent', reason: 'missing_scope' })],
])('an integration looks up no account for 10 s after a look-up that %s, and others do (C11)', async (_, answer) => {
  const { asked, mentions, time } = setUp(answer);
  const mentioned = (integrationId: string) => mentions.of(integrationId, channel, { responders });
  for (let events = 0; events < 5; events += 1) expect(await mentioned('i1')).toEqual([]);
  expect(asked).toEqual(['ada', 'bob']);
  await mentioned('i2');
  expect(asked).toHaveLength(4);
  time.ms = 10_000;
  await mentioned('i1');
  expect(asked).toHaveLength(6);
});

it('an account that is known is mentioned after a look-up that failed (C11)', async () => {
  let count = 0;
  const { asked, mentions } = setUp(() =>
    Promise.resolve(
      (count += 1) === 1 ? { kind: 'found', account: 'U0ADA' } : { kind: 'temporary', reason: 'it fails' },
    ),
  );
  for (let events = 0; events < 2; events += 1)
    expect(await mentions.of('i1', channel, { responders })).toEqual(['U0ADA']);
  expect(asked).toEqual(['ada', 'bob']);
});
