import { afterEach, expect, it } from '@jest/globals';
import { ManualClock, UnavailableError } from '@tocsin/core';
import type { ChatOnCall, IntegrationState, UserState, WebhookSettings } from '@tocsin/events';
import { OutgoingCaller } from '@tocsin/http';
import { MemoryReplica } from '@tocsin/kafka';
import { MATTERMOST_BOT, SLACK_APP, type SlackDouble, startMattermost, startSlack } from '@tocsin/testkit';
import { CHAT_ON_CALL } from '../../messages/delivery-document.ts';
import { textOf } from '../../testing/chat-fixture.ts';
import { useStores } from '../../testing/mongo-fixture.ts';
import { webhookSettings } from '../../testing/webhook-samples.ts';
import { MattermostOnCallClient } from '../mattermost/on-call-client.ts';
import { SlackOnCallClient } from '../slack/on-call-client.ts';
import { AccountsByMail } from './accounts.ts';
import type { UsersOnCall } from './client.ts';
import { ShowOnCall, type ShowOnCallPorts } from './operations.ts';
import { ShownOnCalls } from './store.ts';

const open = useStores();
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const DATABASE = { id: 's1', name: 'Database' };
const ALL: ChatOnCall = { schedule: DATABASE, userGroup: 'S0DATABASE', topic: true, announce: true };
const ANNOUNCE: ChatOnCall = { schedule: DATABASE, topic: false, announce: true };
const TOPIC: ChatOnCall = { schedule: DATABASE, topic: true, announce: false };
const GROUP: ChatOnCall = { schedule: DATABASE, userGroup: 'S0DATABASE', topic: false, announce: false };
const MINUTE_MS = 60_000;

const integration = (id: string, onCall: ChatOnCall[], fields: Partial<IntegrationState> = {}): IntegrationState => ({
  id,
  name: `Chat ${id}`,
  type: 'SlackApp',
  enabled: true,
  allowReadAccess: true,
  allowWriteAccess: true,
  allowConfigurationAccess: false,
  suppressNotifications: false,
  onCall,
  ...fields,
});

const user = (id: string, fields: Partial<UserState> = {}): UserState =>
  ({ id, username: `${id}@example.com`, fullName: id === 'ada' ? 'Ada' : '', blocked: false, ...fields }) as UserState;

/** Two processes that show who is on call in a channel of a double. `onCall`: user ids by schedule. */
async function setUp(provider: 'slack' | 'mattermost' = 'slack') {
  const { connection } = await open();
  const double = await (provider === 'slack' ? startSlack() : startMattermost());
  stops.push(() => double.stop());
  const clock = new ManualClock(new Date('2026-01-05T08:00:00Z'));
  const integrations = new MemoryReplica<IntegrationState>();
  const users = new MemoryReplica<UserState>();
  for (const id of ['ada', 'bob', 'zoe']) users.put(id, user(id));
  const onCall = new Map<string, readonly string[]>([['s1', ['ada']]]);
  const hidden = new Set<string>();
  const names = new Map([['s1', 'Database']]);
  const answerOf = (scheduleId: string, teamId: string | undefined, withEnd: boolean): UsersOnCall | undefined => {
    const ids = onCall.get(scheduleId);
    if (ids === undefined || hidden.has(`${teamId ?? ''}/${scheduleId}`)) return undefined;
    const name = names.get(scheduleId) ?? scheduleId;
    const found = ids.map((id) => ({ id, name: `${id}@example.com` }));
    return { id: scheduleId, name, users: found, ...(withEnd && { until: '2026-01-05T20:00:00.000Z' }) };
  };
  const chat =
    provider === 'slack'
      ? { provider, channel: 'C0ALERTS', token: SLACK_APP.token, thread: 'all' as const }
      : { provider, channel: MATTERMOST_BOT.channel, token: MATTERMOST_BOT.token, thread: 'all' as const };
  const settings = new Map<string, WebhookSettings>();
  const add = (state: IntegrationState, fields: Partial<WebhookSettings> = {}): void => {
    settings.set(state.id, webhookSettings({ id: state.id, url: double.url, chat, ...fields }));
    integrations.put(state.id, state);
  };
  const outgoing = new OutgoingCaller({ allowedRanges: ['127.0.0.1'] });
  const failures: unknown[] = [];
  const dying = { afterCall: false };
  const pauses = { ms: 0 };
  const lease = { isHeld: true };
  const asked: { forEnd: () => void } = { forEnd: () => undefined };
  const store = new ShownOnCalls(connection);
  const process = (own: Partial<Pick<ShowOnCallPorts, 'isLeased' | 'nowMs' | 'pause'>> = {}): ShowOnCall =>
    new ShowOnCall({
      settings: { of: (id) => Promise.resolve(settings.get(id)) },
      clients: { slack: new SlackOnCallClient(outgoing), mattermost: new MattermostOnCallClient(outgoing) },
      integrations,
      users,
      onCalls: {
        of: (wanted, { withEnd }) => {
          if (withEnd) asked.forEnd();
          return Promise.resolve(wanted.map(({ scheduleId, teamId }) => answerOf(scheduleId, teamId, withEnd)));
        },
      },
      accounts: new AccountsByMail(clock),
      store: Object.assign(new ShownOnCalls(connection), {
        put: (...part: Parameters<ShownOnCalls['put']>) => {
          if (dying.afterCall) return Promise.reject(new UnavailableError('The process died.'));
          return store.put(...part);
        },
      }),
      clock,
      pause: () => Promise.resolve(),
      isLeased: () => lease.isHeld,
      pausedMs: () => pauses.ms,
      onFailure: (error) => void failures.push(error),
      ...own,
    });
  const look = async (of = process()): Promise<void> => of.activate(new AbortController().signal);
  const calls = (): readonly string[] => double.taken.map(({ kind }) => kind);
  return {
    add,
    asked,
    calls,
    clock,
    connection,
    double,
    dying,
    failures,
    hidden,
    integrations,
    lease,
    look,
    names,
    onCall,
    pauses,
    process,
    settings,
    store,
    users,
  };
}

function slackOf({ double }: Awaited<ReturnType<typeof setUp>>): SlackDouble {
  if (!('members' in double)) throw new Error('It is no double of Slack.');
  return double as SlackDouble;
}

it('a channel shows who is on call, and nothing is sent where nothing changed, also by another process (C10)', async () => {
  const chat = await setUp();
  chat.add(integration('a', [ALL]));
  for (let looks = 0; looks < 3; looks += 1) await chat.look();
  const slack = slackOf(chat);
  expect([chat.calls(), slack.topic(), slack.members('S0DATABASE')]).toEqual([
    ['topic', 'group'],
    'On call: Database: Ada',
    ['U0ADA'],
  ]);
  chat.onCall.set('s1', ['bob']);
  const requests = slack.requests.length;
  for (let looks = 0; looks < 3; looks += 1) await chat.look();
  expect([slack.topic(), slack.members('S0DATABASE')]).toEqual(['On call: Database: bob@example.com', ['U0BOB']]);
  expect(slack.posts().map(textOf)).toEqual([
    expect.stringContaining('bob@example.com is on call in Database until 2026-01-05 20:00 UTC. Before: Ada.'),
  ]);
  // A look-up of the account, and one call for each of the three parts.
  expect(slack.requests.length - requests).toBe(4);
});

it('a channel of Mattermost has the users on call in its header, and gets the messages (C10)', async () => {
  const chat = await setUp('mattermost');
  chat.add(integration('a', [{ schedule: DATABASE, topic: true, announce: true }], { type: 'Mattermost' }));
  await chat.look();
  chat.onCall.set('s1', ['ada', 'bob']);
  await chat.look();
  await chat.look();
  expect([chat.calls(), chat.double.topic()]).toEqual([
    ['topic', 'post', 'topic'],
    'On call: Database: Ada, bob@\u200Bexample.com',
  ]);
  expect(chat.double.posts().map(textOf)).toEqual([
    expect.stringMatching(/Ada, bob@example.com are on call in Database until .* Before: Ada\./),
  ]);
});

it.each(['slack', 'mattermost'] as const)(
  'names of users and schedules are no markup of %s, and mention no user (C5)',
  async (provider) => {
    const chat = await setUp(provider);
    chat.users.put('ada', user('ada', { fullName: '<!channel> @all ~town <@U0BOB>' }));
    chat.names.set('s1', '@here <!here>');
    chat.add(integration('a', [{ schedule: DATABASE, topic: true, announce: true }]));
    chat.onCall.set('s1', ['bob']);
    await chat.look();
    chat.onCall.set('s1', ['ada']);
    await chat.look();
    const said = JSON.stringify(chat.double.taken.map(({ content }) => content));
    expect(chat.calls()).toEqual(['topic', 'post', 'topic']);
    expect(said).not.toMatch(provider === 'slack' ? /<[!@]/ : /[@~][a-zA-Z]/);
  },
);

it('where the process dies between a call and the write, what is set is set again, and a message comes once more at most (C10)', async () => {
  const chat = await setUp();
  chat.add(integration('a', [ALL]));
  await chat.look();
  chat.onCall.set('s1', ['bob']);
  chat.dying.afterCall = true;
  await chat.look();
  expect(chat.failures).toHaveLength(1);
  chat.dying.afterCall = false;
  for (let looks = 0; looks < 3; looks += 1) await chat.look();
  expect(chat.calls()).toEqual(['topic', 'group', 'post', 'post', 'topic', 'group']);
});

it('a process that was held up sets nothing for good that is older than what another one has set (C10)', async () => {
  const chat = await setUp();
  chat.add(integration('a', [TOPIC]));
  await chat.look();
  chat.onCall.set('s1', ['bob']);
  const { promise: resumed, resolve: resume } = Promise.withResolvers<undefined>();
  const { promise: called, resolve: onCalled } = Promise.withResolvers<undefined>();
  const put = chat.store.put.bind(chat.store);
  chat.store.put = async (...part) => {
    chat.store.put = put;
    onCalled(undefined);
    await resumed;
    return put(...part);
  };
  const late = chat.look();
  await called;
  chat.onCall.set('s1', ['zoe']);
  await chat.look();
  resume(undefined);
  await late;
  await chat.look();
  const topics = chat.double.taken.map(({ content }) => content['topic']);
  expect(topics).toEqual(['Ada', 'bob', 'zoe', 'zoe'].map((name) => expect.stringContaining(`Database: ${name}`)));
});

it('a user group keeps its members while no user is on call, which a message says once (C10)', async () => {
  const chat = await setUp();
  chat.add(integration('a', [GROUP]));
  await chat.look();
  chat.onCall.set('s1', []);
  for (let looks = 0; looks < 3; looks += 1) await chat.look();
  const slack = slackOf(chat);
  expect([chat.calls(), slack.members('S0DATABASE')]).toEqual([['group', 'post'], ['U0ADA']]);
  expect(slack.posts().map(textOf)).toEqual([
    expect.stringContaining('No user is on call in Database. The user group S0DATABASE keeps its members.'),
  ]);
  chat.onCall.set('s1', ['bob']);
  await chat.look();
  chat.onCall.set('s1', []);
  await chat.look();
  expect(chat.calls()).toEqual(['group', 'post', 'group', 'post']);
});

it('a user group has the users of all its schedules, without blocked ones and those without an account (C10)', async () => {
  const chat = await setUp();
  const running = chat.process();
  const web = { schedule: { id: 's2', name: 'Web' }, userGroup: 'S0DATABASE', topic: false, announce: false };
  chat.add(integration('a', [GROUP, web]));
  chat.onCall.set('s1', ['ada', 'zoe']);
  chat.onCall.set('s2', ['bob', 'ada']);
  await chat.look(running);
  const slack = slackOf(chat);
  expect(slack.members('S0DATABASE')).toEqual(['U0ADA', 'U0BOB']);
  chat.users.put('bob', user('bob', { blocked: true }));
  await chat.look(running);
  expect(slack.members('S0DATABASE')).toEqual(['U0ADA']);
  const requests = slack.requests.length;
  // Zoe may have an account by now: it is looked up again each hour, and the group is left as it is.
  chat.clock.advance(61 * MINUTE_MS);
  await chat.look(running);
  expect([slack.requests.length - requests, chat.calls()]).toEqual([1, ['group', 'group']]);
  chat.onCall.set('s1', ['zoe']);
  chat.onCall.set('s2', []);
  await chat.look(running);
  expect(slack.members('S0DATABASE')).toEqual(['U0ADA']);
  expect((await chat.store.all()).get('a')?.failures).toEqual({
    'group:S0DATABASE': expect.objectContaining({ isForGood: true, reason: expect.stringContaining('has an account') }),
  });
});

it('a part that is refused is tried again with pauses, and holds up neither the other parts nor other channels (C10)', async () => {
  const chat = await setUp();
  const running = chat.process();
  chat.add(integration('a', [{ ...ALL, userGroup: 'S0GONE' }]));
  chat.add(integration('b', [TOPIC]), {
    chat: { provider: 'slack', channel: 'C0OTHER', token: SLACK_APP.token, thread: 'all' },
  });
  await chat.look(running);
  const slack = slackOf(chat);
  expect([slack.topic(), slack.topic('C0OTHER')]).toEqual(['On call: Database: Ada', 'On call: Database: Ada']);
  const group = async () => (await chat.store.all()).get('a')?.failures['group:S0GONE'];
  expect(await group()).toMatchObject({
    reason: 'it answered no_such_subteam (there is no such user group)',
    isForGood: true,
    retryAt: new Date('2026-01-05T08:00:30Z'),
  });
  const requests = slack.requests.length;
  await chat.look(running);
  expect(slack.requests.length).toBe(requests);
  for (let tries = 0; tries < 5; tries += 1) {
    chat.clock.advance(5 * MINUTE_MS);
    await chat.look(running);
  }
  expect(slack.requests.length).toBe(requests + 5);
  expect(await group()).toMatchObject({ tries: 6, since: new Date('2026-01-05T08:00:00Z') });
  chat.onCall.set('s1', ['bob']);
  await chat.look(running);
  expect(slack.posts()).toHaveLength(1);
  chat.integrations.put('a', integration('a', [ALL]));
  await chat.look(running);
  expect([await group(), slack.members('S0DATABASE')]).toEqual([undefined, ['U0BOB']]);
});

it('no call is made before the product allows it, or while its posts are to wait (C3)', async () => {
  const chat = await setUp();
  chat.add(integration('a', [{ ...ALL, userGroup: undefined }]));
  await chat.look();
  chat.onCall.set('s1', ['bob']);
  chat.double.next({ refuse: 429, headers: { 'retry-after': '120' }, body: '{"ok":false,"error":"ratelimited"}' });
  await chat.look();
  expect([(await chat.store.all()).get('a')?.waitUntil, chat.double.requests.length]).toEqual([
    new Date('2026-01-05T08:02:00Z'),
    2,
  ]);
  chat.clock.advance(MINUTE_MS);
  await chat.look();
  expect(chat.double.requests).toHaveLength(2);
  chat.clock.advance(MINUTE_MS);
  chat.pauses.ms = 1;
  await chat.look();
  expect(chat.double.requests).toHaveLength(2);
  chat.pauses.ms = 0;
  await chat.look();
  expect(chat.calls()).toEqual(['topic', 'post', 'topic']);
});

it('a channel follows changes of its integration and its schedules (C10)', async () => {
  const chat = await setUp();
  const running = chat.process();
  chat.add(integration('a', [{ ...ALL, userGroup: undefined }]));
  await chat.look(running);
  chat.names.set('s1', 'Databases');
  await chat.look(running);
  expect([chat.double.topic(), chat.double.posts()]).toEqual(['On call: Databases: Ada', []]);
  // Another channel has no topic yet.
  chat.add(integration('a', [{ ...ALL, userGroup: undefined }]), {
    chat: { provider: 'slack', channel: 'C0OTHER', token: SLACK_APP.token, thread: 'all' },
  });
  await chat.look(running);
  expect(chat.double.topic('C0OTHER')).toBe('On call: Databases: Ada');
  chat.add(integration('a', [ALL], { enabled: false }));
  chat.onCall.set('s1', ['bob']);
  const calls = chat.calls().length;
  await chat.look(running);
  expect(chat.calls()).toHaveLength(calls);
  // It has lost its channel.
  const { onCall: _none, ...without } = integration('a', []);
  chat.settings.delete('a');
  chat.integrations.put('a', without);
  await chat.look(running);
  expect([chat.calls().length, (await chat.store.all()).size]).toEqual([calls, 0]);
});

it('a schedule that is deleted, or that the team may not see any more, is named by readiness, and no part is changed (C10)', async () => {
  const chat = await setUp();
  chat.add(integration('a', [ALL], { ownerTeamId: 'red' }));
  await chat.look();
  chat.hidden.add('red/s1');
  await chat.look();
  const row = async () => (await chat.store.all()).get('a');
  expect([chat.calls(), (await row())?.failures]).toEqual([
    ['topic', 'group'],
    { missing: expect.objectContaining({ reason: 'there is no schedule [Database] that its team may see' }) },
  ]);
  chat.hidden.clear();
  await chat.look();
  expect((await row())?.failures).toEqual({});
  chat.onCall.delete('s1');
  chat.onCall.set('s2', ['bob']);
  chat.add(integration('a', [ALL, { ...TOPIC, schedule: { id: 's2', name: 'Web' } }], { ownerTeamId: 'red' }));
  await chat.look();
  expect(chat.double.topic()).toBe('On call: s2: bob@example.com');
});

it('only the process with the lease shows anything', async () => {
  const chat = await setUp();
  chat.add(integration('a', [ALL]));
  await chat.look(chat.process({ isLeased: () => false }));
  expect(chat.double.requests).toEqual([]);
});

it('a message mentions the users who come on call where the integration asks for that (C11)', async () => {
  const chat = await setUp();
  const settings = { provider: 'slack', channel: 'C0ALERTS', token: SLACK_APP.token, thread: 'all' } as const;
  chat.add(integration('a', [ANNOUNCE]), { chat: { ...settings, mention: 'responders' } });
  await chat.look();
  chat.onCall.set('s1', ['ada', 'bob', 'zoe']);
  await chat.look();
  const [text = ''] = chat.double.posts().map(textOf);
  expect(text.match(/<@\w+>/g)).toEqual(['<@U0BOB>', '<@U0BOB>']);
});

it('a message whose product does not answer is posted twice at most (C10)', async () => {
  const chat = await setUp();
  chat.add(integration('a', [ANNOUNCE]));
  await chat.look();
  chat.onCall.set('s1', ['bob']);
  chat.double.always({ answer: { status: 200, body: 'cut off' } });
  for (let looks = 0; looks < 4; looks += 1) {
    await chat.look();
    chat.clock.advance(6 * MINUTE_MS);
  }
  expect([chat.calls(), (await chat.store.all()).get('a')?.failures]).toEqual([['post', 'post'], {}]);
});

const UNANSWERED = { answer: { status: 200, body: 'cut off' } };
const REFUSED = { refuse: 503, body: '' };

it.each([
  ['it refused it before', [['bob', REFUSED], ['bob', UNANSWERED], ['bob']], ['bob', 'bob']],
  ['an older message had no answer', [['bob', UNANSWERED], ['zoe', UNANSWERED], ['zoe']], ['bob', 'zoe', 'zoe']],
] as const)('a message is posted again that the product may have once alone: %s (C10)', async (_, looks, posted) => {
  const chat = await setUp();
  chat.add(integration('a', [ANNOUNCE]));
  await chat.look();
  for (const [onCall, answer] of looks) {
    chat.onCall.set('s1', [onCall]);
    if (answer !== undefined) chat.double.next(answer);
    await chat.look();
    chat.clock.advance(6 * MINUTE_MS);
  }
  await chat.look();
  const texts = chat.double.taken.map(({ content }) => textOf({ content }));
  expect(texts).toEqual(posted.map((name) => expect.stringContaining(`${name}@example.com is on call`)));
});

it('a process that was held up before a call makes none once it has lost the lease (C10)', async () => {
  const chat = await setUp();
  chat.add(integration('a', [ALL]));
  await chat.look();
  chat.onCall.set('s1', ['bob']);
  chat.asked.forEnd = () => {
    chat.lease.isHeld = false;
  };
  const requests = chat.double.requests.length;
  await chat.look();
  expect(chat.double.requests).toHaveLength(requests);
  [chat.lease.isHeld, chat.asked.forEnd] = [true, () => undefined];
  await chat.look();
  expect(chat.calls()).toEqual(['topic', 'group', 'post', 'topic', 'group']);
});

it('a slow channel goes on in the next look, so that it holds up the others for seconds alone (C10)', async () => {
  const chat = await setUp();
  const time = { ms: 0 };
  const pause = (): Promise<void> => {
    time.ms += 15_000;
    return Promise.resolve();
  };
  const running = chat.process({ nowMs: () => time.ms, pause });
  chat.add(integration('a', [GROUP]));
  chat.onCall.set('s1', ['ada', 'bob', 'zoe']);
  await chat.look(running);
  const slack = slackOf(chat);
  expect([slack.requests.length, chat.calls(), time.ms]).toEqual([2, [], 30_000]);
  await chat.look(running);
  expect([slack.requests.length, slack.members('S0DATABASE'), time.ms]).toEqual([4, ['U0ADA', 'U0BOB'], 45_000]);
});

it('a thousand channels have news at once', async () => {
  const chat = await setUp();
  for (let n = 0; n < 1_000; n += 1) chat.add(integration(`n${n}`, [TOPIC]));
  await chat.look();
  expect(chat.calls()).toHaveLength(1_000);
  await chat.look();
  expect(chat.calls()).toHaveLength(1_000);
});

it('a hundred channels that do not answer leave places for another server', async () => {
  const chat = await setUp();
  const other = await startSlack();
  stops.push(() => other.stop());
  for (let n = 0; n < 100; n += 1) chat.add(integration(`n${n}`, [TOPIC]), { url: 'http://127.0.0.1:1' });
  chat.add(integration('z', [TOPIC]), { url: other.url });
  await chat.look();
  expect(other.topic()).toBe('On call: Database: Ada');
  expect(await chat.connection.collection(CHAT_ON_CALL).countDocuments({ 'failures.topic': { $exists: true } })).toBe(
    100,
  );
});
