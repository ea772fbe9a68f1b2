import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ManualClock, UnavailableError } from '@tocsin/core';
import type { ButtonProvider, IntegrationState, UserState, WebhookSettings } from '@tocsin/events';
import {
  type InternalReply,
  OutgoingCaller,
  PRINCIPAL_HEADER,
  PrincipalSigner,
  type UserPrincipal,
} from '@tocsin/http';
import {
  eventually,
  MATTERMOST_BOT,
  mattermostCommand,
  SLACK_APP,
  slackCommand,
  slackSignature,
  startMattermost,
  startMessageGateway,
  startSlack,
} from '@tocsin/testkit';
import request from 'supertest';
import { AnswerAlerts } from '../../answers/operations.ts';
import { setUpApp, SIGNING_KEY } from '../../testing/app-fixture.ts';
import { KnownAlerts } from '../../testing/known-alerts.ts';
import { useStores } from '../../testing/mongo-fixture.ts';
import { ada } from '../../testing/page-samples.ts';
import { webhookSettings } from '../../testing/webhook-samples.ts';
import { AccountUsers } from '../account-operations.ts';
import { MattermostClient } from '../mattermost/client.ts';
import { SlackClient } from '../slack/client.ts';
import { TrustedAccounts } from '../trusted-accounts.ts';
import { CarryOutCommands } from './carry-out.ts';
import { TakeCommands } from './operations.ts';

const NOW = new Date('2026-01-05T08:00:00Z');
const SECONDS = NOW.getTime() / 1_000;
const COMMANDS = { slack: slackCommand, mattermost: mattermostCommand };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const open = useStores();
const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

const alertWith = (tinyId: string, fields: object = {}): object => ({
  id: `alert-${tinyId}`,
  tinyId,
  message: `Disk <${tinyId}> is full @channel`,
  priority: 'P3',
  status: 'open',
  acknowledged: false,
  snoozed: false,
  ...fields,
});

/** A request of a command to a service. */
interface Asked {
  readonly path: string;
  readonly user: UserPrincipal;
  readonly body?: unknown;
  readonly requestId?: string;
}

type Answers = Readonly<Record<string, unknown>>;

/** The operations of other services, by their paths without a query; `undefined` is 404, an error an outage, and a promise an answer to wait for. */
function servicesWith(answers: { current: Answers }, asked: Asked[]) {
  const reply = async (path: string, status: number): Promise<InternalReply> => {
    const data = await (answers.current[path] ?? answers.current[path.replace(/\?.*/, '')]);
    if (Error.isError(data)) throw data;
    return data === undefined ? { status: 404, body: {} } : { status, body: { data } };
  };
  const service = {
    actingAs: (user: UserPrincipal) => ({
      get: (path: string) => {
        asked.push({ path, user });
        return reply(path, 200);
      },
      post: (path: string, body: unknown, requestId: string) => {
        asked.push({ path, user, body, requestId });
        return reply(path, 202);
      },
    }),
  };
  return { 'alert-ingest': service, 'alert-processor': service, directory: service, scheduling: service };
}

/** An integration `hook` of a double, and the route at which the double reports commands. */
async function setUp(
  provider: ButtonProvider,
  { answerWithinMs = 30_000, settingsAfterMs = 0, trusted = [] as readonly string[], unknownMayAct = false } = {},
) {
  const { acts, commands, decisions } = await open();
  const double = await (provider === 'slack' ? startSlack() : startMattermost());
  closings.push(() => double.stop());
  const clock = new ManualClock(NOW);
  const integration: IntegrationState = {
    id: 'hook',
    name: 'Ops',
    type: 'Slack',
    enabled: true,
    allowReadAccess: true,
    allowWriteAccess: true,
    allowConfigurationAccess: false,
    suppressNotifications: false,
  };
  const isSlack = provider === 'slack';
  const settings = webhookSettings({
    url: double.url,
    // Commands are taken also where nothing is posted.
    isOn: false,
    chat: {
      provider,
      channel: 'c',
      token: isSlack ? SLACK_APP.token : MATTERMOST_BOT.token,
      thread: 'all',
      ...(isSlack ? { signingSecret: SLACK_APP.signingSecret } : { commandToken: MATTERMOST_BOT.commandToken }),
    },
  });
  const state: { integration: IntegrationState | undefined; settings: WebhookSettings | undefined; user: UserState } = {
    integration,
    settings,
    user: ada(),
  };
  const users = {
    get: () => undefined,
    isDeleted: () => false,
    fetch: (_: string, name: string) => Promise.resolve(state.user.username === name ? state.user : undefined),
  };
  const outgoing = new OutgoingCaller({ allowedRanges: ['127.0.0.1'] });
  const clients = { slack: new SlackClient(outgoing), mattermost: new MattermostClient(outgoing) };
  const accounts = new TrustedAccounts(trusted.length > 0 ? trusted : [double.url, SLACK_APP.workspace], {
    isReachable: true,
  });
  const asked: Asked[] = [];
  const answers: { current: Answers } = { current: {} };
  const outcomes: string[] = [];
  const taker = new TakeCommands({
    settings: { of: () => setTimeout(settingsAfterMs, state.settings) },
    integrations: { get: (id) => (id === 'hook' ? state.integration : undefined) },
    clients,
    accounts,
    accountUsers: new AccountUsers({ clients, accounts, users, roles: { get: () => undefined }, unknownMayAct }),
    commands: new CarryOutCommands({
      services: servicesWith(answers, asked),
      answers: new AnswerAlerts({ acts, alerts: new KnownAlerts(), users, clock }),
    }),
    clock,
    onCallback: (outcome) => void outcomes.push(outcome),
    onDefect: (error) => {
      throw new Error('unexpected defect', { cause: error });
    },
    answerWithinMs,
  });
  const buttons = { take: () => Promise.reject(new Error('it is no button')) };
  const { app } = setUpApp({
    chats: { buttons, commands: taker },
    callbacks: { take: () => Promise.reject(new Error('it is no callback')) },
  });
  const post = async (body: string, headers: Readonly<Record<string, string>> = {}, id = 'hook') => {
    const principal = await new PrincipalSigner([SIGNING_KEY]).sign({ service: 'gateway' }, 'notifier', NOW);
    const path = `/callbacks/${provider}?integration=${id}`;
    return request(app)
      .post(path)
      .set({ [PRINCIPAL_HEADER]: principal, ...FORM, ...headers })
      .send(body);
  };
  /** Reports a command as the product does. Resolves with the lines that the user alone sees. */
  const send = async (text: string, fields: Readonly<Record<string, string>> = {}): Promise<readonly string[]> => {
    const body = COMMANDS[provider](text, fields);
    const answer = await post(body, isSlack ? slackSignature(body, SECONDS) : {});
    expect(answer.status).toBe(200);
    const shown = answer.body as { response_type: string; text: string };
    expect(shown.response_type).toBe('ephemeral');
    return shown.text.split('\n');
  };
  return { answers, asked, commands, decisions, double, integration, outcomes, post, send, state };
}

const bare = (lines: readonly string[]): string => lines.join('\n').replaceAll(/[\u200B\\]/g, '');

describe.each(['slack', 'mattermost'] as const)('a command in %s (C9)', (provider) => {
  const escaped = provider === 'slack' ? '&lt;12&gt; is full @channel' : String.raw`<12\> is full @${'\u200B'}channel`;

  it('changes each alert once as the user with the mail address of the account, however often it comes', async () => {
    const { answers, commands, decisions, outcomes, send } = await setUp(provider);
    answers.current = { '/v2/alerts/12': alertWith('12'), '/v2/alerts/13': new UnavailableError('It is down.') };
    const fields = { trigger_id: 'one' };
    expect(bare(await send('ack 12 13', fields))).toMatch(/^Alert #12 .* is accepted\.\nNot changed now: #13\./);
    answers.current = { '/v2/alerts/12': alertWith('12'), '/v2/alerts/13': alertWith('13', { status: 'closed' }) };
    const again = await send('ack 12 13 14', fields);
    expect(again[0]).toContain(escaped);
    expect(bare(again).split('\n')).toEqual([
      expect.stringMatching(/^Alert #12 \[Disk .*\]: you have acknowledged it already\.$/),
      expect.stringMatching(/^Alert #13 \[Disk .*\]: nothing was changed, it is closed\.$/),
      'There is no alert #14.',
    ]);
    expect(bare(await send('snooze 12 for 2h'))).toContain('your order to snooze it for 2 hours is accepted');
    expect(bare(await send('note 12,13 the disk & <its> log'))).toContain('your note is accepted');
    expect(bare(await send('close 12'))).toContain('your order to close it is accepted');
    const common = { actor: 'ada@example.com', source: provider };
    expect(await commands()).toMatchObject([
      { kind: 'acknowledge', ...common, identifier: { type: 'id', value: 'alert-12' } },
      { kind: 'snooze', ...common, endTime: '2026-01-05T10:00:00.000Z' },
      { kind: 'add-note', ...common, note: 'the disk & <its> log' },
      { kind: 'add-note', ...common, identifier: { value: 'alert-13' } },
      { kind: 'close', ...common },
    ]);
    const product = provider === 'slack' ? 'Slack' : 'Mattermost';
    expect((await decisions())[0]?.findings[0]?.text).toBe(
      `ada@example.com acknowledges the alert by a command in ${product} of integration [Ops].`,
    );
    expect(outcomes).toEqual(['acted', 'repeated', 'acted', 'acted', 'acted']);
  });

  it('names the alerts that it has not changed where a service does not answer, so that none gets a note twice', async () => {
    const { answers, commands, outcomes, send } = await setUp(provider);
    answers.current = { '/v2/alerts/12': alertWith('12'), '/v2/alerts/13': new UnavailableError('It is down.') };
    expect(bare(await send('note 12, 13, 14 seen'))).toMatch(/\nNot changed now: #13, #14\..* alone\.$/);
    answers.current = { '/v2/alerts/13': alertWith('13'), '/v2/alerts/14': alertWith('14') };
    await send('note 13, 14 seen');
    const noted = (await commands()).map(({ identifier }) => identifier);
    expect(noted).toMatchObject(['12', '13', '14'].map((id) => ({ value: `alert-${id}` })));
    expect(outcomes).toEqual(['acted', 'acted']);
  });

  it('asks to look first where it does not know whether an alert was opened', async () => {
    const { answers, outcomes, send } = await setUp(provider);
    const down = new UnavailableError('There is no answer in time.');
    answers.current = { '/v2/teams/Web': { id: 't1', name: 'Web' }, '/v2/alerts': down };
    expect(bare(await send('alert "Disk" for Web'))).toMatch(/does not know whether .* list to see it before/);
    expect(outcomes).toEqual(['unusable']);
  });

  it('asks other services as its user, with the role of the user', async () => {
    const { asked, send, state } = await setUp(provider);
    state.user = ada({ role: 'observer' });
    await send('who Nights');
    const through = provider === 'slack' ? 'Slack' : 'Mattermost';
    expect(asked).toMatchObject([{ user: { kind: 'user', username: 'ada@example.com', role: 'observer', through } }]);
  });

  it('opens an alert for a team that exists, by the same request when it comes again', async () => {
    const { answers, asked, outcomes, send } = await setUp(provider);
    const text = `alert "Disk ${'x'.repeat(200)}" for Web & shop`;
    expect(bare(await send(text))).toMatch(/there is no team \[Web &(?:amp;)? shop\]/);
    answers.current = { '/v2/teams/Web%20%26%20shop': { id: 't1', name: 'Web & shop' }, '/v2/alerts': {} };
    expect(bare(await send(text, { trigger_id: 'one' }))).toMatch(/^Your alert \[Disk x+…\] for team .* is accepted/);
    await send(text, { trigger_id: 'one' });
    await send(text, { trigger_id: 'two' });
    const posts = asked.filter(({ body }) => body !== undefined);
    const source = provider === 'slack' ? 'Slack' : 'Mattermost';
    expect(posts[0]?.body).toEqual({
      message: `Disk ${'x'.repeat(124)}…`,
      description: `Disk ${'x'.repeat(200)}`,
      responders: [{ type: 'team', id: 't1' }],
      source,
    });
    const [first, again, other] = posts.map(({ requestId }) => requestId);
    expect([first, again === first, other === first]).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), true, false]);
    expect(outcomes).toEqual(['unusable', 'acted', 'acted', 'acted']);
  });

  it('lists the open alerts, the most urgent first, 20 at most, and says how many more there are', async () => {
    const { answers, asked, send } = await setUp(provider);
    answers.current = { '/v2/alerts': [], '/v2/alerts/count': { count: 0 } };
    expect(await send('list')).toEqual(['No alert is open.']);
    const listOf = (priority: string, limit: number) =>
      `/v2/alerts?query=${encodeURIComponent(`status:open AND priority:${priority}`)}&sort=createdAt&order=desc&limit=${limit}`;
    answers.current = {
      '/v2/alerts/count': { count: 31 },
      [listOf('P1', 20)]: [alertWith('12', { priority: 'P1', acknowledged: true })],
      [listOf('P2', 19)]: Array.from({ length: 19 }, (_, index) => alertWith(`${index + 20}`, { priority: 'P2' })),
    };
    const lines = await send('list');
    expect(lines[0]).toContain(escaped);
    expect(bare(lines).split('\n')).toEqual([
      expect.stringMatching(/^#12 P1 Disk .* \(acknowledged\)$/),
      ...Array.from({ length: 19 }, (_, index) => expect.stringMatching(`^#${index + 20} P2 Disk .* \\(open\\)$`)),
      '11 more are open.',
    ]);
    expect(asked.filter(({ path }) => path.includes(encodeURIComponent('priority:P3')))).toEqual([]);
  });

  it('says who is on call in a schedule, or in those of the teams of the user', async () => {
    const { answers, send } = await setUp(provider);
    const onCall = (name: string, onCallRecipients: readonly string[]) => ({
      _parent: { id: name, name, enabled: true },
      onCallRecipients,
    });
    answers.current = { '/v2/schedules/Nights/on-calls': onCall('Nights', ['ada@example.com', 'bob@example.com']) };
    expect(bare(await send('who Nights'))).toBe('Nights: ada@example.com, bob@example.com');
    expect(bare(await send('who Days'))).toBe('There is no schedule [Days].');
    const schedule = (id: string, team: string | undefined, enabled = true) => ({
      id,
      name: `Schedule ${id}`,
      enabled,
      ...(team !== undefined && { ownerTeam: { id: team, name: team } }),
    });
    answers.current = {
      '/v2/users/ada/teams': [{ id: 't1', name: 'Web' }],
      '/v2/schedules': [
        schedule('b', 't1'),
        schedule('a', 't1'),
        schedule('c', 't2'),
        schedule('d', undefined),
        schedule('e', 't1', false),
      ],
      '/v2/schedules/a/on-calls': onCall('Schedule a', []),
      '/v2/schedules/b/on-calls': onCall('Schedule b', ['ada@example.com']),
    };
    expect(bare(await send('who'))).toBe('Schedule a: no user is on call\nSchedule b: ada@example.com');
  });

  it('changes nothing for a stranger, and for a user who is blocked or may only read, and says so', async () => {
    const { commands, send, state } = await setUp(provider);
    const stranger = provider === 'slack' ? 'U0EVE' : 'eve'.padEnd(26, '0');
    expect(bare(await send('list', { user_id: stranger }))).toContain('An admin of Tocsin can invite you');
    for (const role of ['observer', 'stakeholder', 'Night watch']) {
      state.user = ada({ role });
      for (const text of ['ack 12', 'alert "x" for Web'])
        expect(bare(await send(text))).toContain('your role may not change alerts');
    }
    state.user = ada({ blocked: true });
    expect(bare(await send('ack 12'))).toContain('no user of Tocsin');
    expect(await commands()).toEqual([]);
  });

  it('acts for no account without a user where buttons do, and says so', async () => {
    const { commands, send } = await setUp(provider, { unknownMayAct: true });
    const stranger = provider === 'slack' ? 'U0MAX' : 'max'.padEnd(26, '0');
    expect(bare(await send('ack 12', { user_id: stranger }))).toMatch(
      /An admin of Tocsin can invite you by that address. Buttons work without a user, commands do not.$/,
    );
    expect(await commands()).toEqual([]);
  });

  it('that cannot be read is answered with what is wrong, and with the commands', async () => {
    const { asked, outcomes, send } = await setUp(provider);
    expect(bare(await send('launch <12>'))).toMatch(/There is no command \[launch\].*\nCommands:\nwho/);
    expect(bare(await send(''))).toMatch(/^Commands:\nwho/);
    expect([asked, outcomes]).toEqual([[], ['unreadable', 'answered']]);
  });

  it('changes nothing at an integration of a team, because its writers could sign commands of others', async () => {
    const { asked, integration, send, state } = await setUp(provider);
    state.integration = { ...integration, ownerTeamId: 't1' };
    expect(bare(await send('list'))).toContain('this integration is one of a team');
    expect(asked).toEqual([]);
  });

  it('is answered at its own URL where that takes longer than the product waits', async () => {
    const { answers, double, send } = await setUp(provider, { answerWithinMs: 10 });
    const count = Promise.withResolvers<object>();
    answers.current = { '/v2/alerts/count': count.promise };
    const answerAt = `${double.url}/hooks/commands/1`;
    expect(bare(await send('list', { response_url: answerAt }))).toContain('The answer follows.');
    count.resolve({ count: 0 });
    const late = await eventually(() => {
      const found = double.requests.find(({ path }) => path === '/hooks/commands/1');
      if (found === undefined) throw new Error('There is no answer.');
      return JSON.parse(found.body) as object;
    });
    expect(late).toMatchObject({ response_type: 'ephemeral', text: 'No alert is open.' });
  });

  it('is answered at its own URL also where that time has passed before it is verified', async () => {
    const { answers, send } = await setUp(provider, { answerWithinMs: 500, settingsAfterMs: 510 });
    answers.current = { '/v2/alerts/count': { count: 0 } };
    expect(bare(await send('list'))).toContain('The answer follows.');
  });

  it('is answered at no other server than that of the product', async () => {
    const { answers, double, send } = await setUp(provider, { answerWithinMs: 10 });
    const elsewhere = await startMessageGateway();
    closings.push(() => elsewhere.stop());
    const count = Promise.withResolvers<object>();
    answers.current = { '/v2/alerts/count': count.promise };
    await send('list', { response_url: `${elsewhere.url}/answer` });
    await send('list', { response_url: `${double.url}/answer` });
    count.resolve({ count: 0 });
    await eventually(() => {
      expect(double.requests.filter(({ path }) => path === '/answer')).toHaveLength(1);
    });
    expect(elsewhere.requests).toEqual([]);
  });

  it('is refused where the integration is unknown, disabled, of another product, or of a server that the operator does not name', async () => {
    const body = COMMANDS[provider]('list');
    const signed = slackSignature(body, SECONDS);
    const { asked, integration, outcomes, post, state } = await setUp(provider);
    expect((await post(body, signed, 'another')).status).toBe(403);
    const { settings } = state;
    state.integration = { ...integration, enabled: false };
    expect((await post(body, signed)).status).toBe(403);
    state.integration = integration;
    for (const changed of [undefined, webhookSettings({ ...settings, chat: undefined })]) {
      state.settings = changed;
      expect((await post(body, signed)).status).toBe(403);
    }
    const strange = await setUp(provider, { trusted: ['https://chat.example.com', 'T0OTHER'] });
    expect((await strange.post(body, signed)).status).toBe(403);
    expect([asked, strange.asked, new Set(outcomes)]).toEqual([[], [], new Set(['refused'])]);
  });
});

describe('a report of a command', () => {
  it('of Slack is refused where it is not signed with the secret of the integration, is older than 5 minutes, or is no command', async () => {
    const { asked, post } = await setUp('slack');
    const body = slackCommand('list');
    for (const headers of [
      {},
      slackSignature(body, SECONDS, 'another'),
      slackSignature(body, SECONDS - 301),
      slackSignature(`${body}&`, SECONDS),
    ])
      expect((await post(body, headers)).status).toBe(403);
    for (const other of ['', 'payload=%7B%7D', slackCommand('list', { user_id: 'ada@example.com' })])
      expect((await post(other, slackSignature(other, SECONDS))).status).toBe(403);
    const large = slackCommand('x'.repeat(65_537));
    expect((await post(large, slackSignature(large, SECONDS))).status).toBe(413);
    expect(asked).toEqual([]);
  });

  it('of Mattermost is refused without the token of the command, also where the integration has none', async () => {
    const { asked, post, state } = await setUp('mattermost');
    for (const token of ['', 'another', MATTERMOST_BOT.token])
      expect((await post(mattermostCommand('list', { token }))).status).toBe(403);
    const { chat } = state.settings ?? {};
    state.settings = webhookSettings({
      ...state.settings,
      ...(chat && { chat: { ...chat, commandToken: undefined } }),
    });
    expect((await post(mattermostCommand('list', { token: '' }))).status).toBe(403);
    expect(asked).toEqual([]);
  });
});
