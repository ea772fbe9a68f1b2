import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ChatMessage,
  DISCORD_WEBHOOK,
  eventually,
  GOOGLE_CHAT_WEBHOOK,
  type Mailbox,
  MATTERMOST_BOT,
  Scenario,
  SLACK_APP,
  slackSignature,
  startDiscord,
  startGoogleChat,
  startMailbox,
  startMattermost,
  startSlack,
  startTeams,
  TEAMS_WORKFLOW,
  startTelegram,
  TELEGRAM_BOT,
} from '@tocsin/testkit';
import { Api } from './system/api.ts';
import { newInstallation } from './system/installation.ts';
import { ServiceProcess } from './system/service-process.ts';
import { processesOf } from './system/service-processes.ts';

const slack = await startSlack();
const mattermost = await startMattermost();
const discord = await startDiscord();
const teams = await startTeams();
const googleChat = await startGoogleChat();
/** The products that get a message about each event. */
const KEEPING = {
  MSTeamsV2: { double: teams, secret: TEAMS_WORKFLOW.signature },
  GoogleChat: { double: googleChat, secret: GOOGLE_CHAT_WEBHOOK.token },
} as const;
const telegram = await startTelegram();
const CHANNELS = {
  SlackApp: { double: slack, channel: 'C0ALERTS', token: SLACK_APP.token },
  Mattermost: { double: mattermost, channel: MATTERMOST_BOT.channel, token: MATTERMOST_BOT.token },
  Telegram: { double: telegram, channel: TELEGRAM_BOT.chat, token: TELEGRAM_BOT.token },
} as const;
/** Whose posts have buttons. */
const WITH_BUTTONS: ReadonlySet<string> = new Set(['SlackApp', 'Mattermost']);
/** The channel has an event, and its result is not written yet: notifier keeps the pace of the channel in between. */
const BEFORE_RESULT_MS = 100;

let mailbox: Mailbox;
let scenario: Scenario;
let api: Api;
let gatewayUrl: string;
let notifier: ServiceProcess;
let services: readonly ServiceProcess[] = [];

beforeAll(async () => {
  mailbox = await startMailbox();
  const installation = await newInstallation(mailbox.url, 'fatal');
  const environment = {
    ...installation.environmentOf('notifier'),
    WEBHOOK_ALLOWED_RANGES: '127.0.0.1',
    CALLBACK_URL: installation.gatewayUrl,
    CHAT_ACCOUNTS: [slack.url, SLACK_APP.workspace, mattermost.url].join(','),
  };
  notifier = new ServiceProcess('notifier', environment);
  services = [...(await processesOf(installation)).filter(({ name }) => name !== 'notifier'), notifier];
  await Promise.all(services.map((service) => service.start()));
  gatewayUrl = installation.gatewayUrl;
  api = new Api(gatewayUrl);
  scenario = new Scenario(api, 'example.com', new Date());
  await scenario.users('ada');
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await Promise.all([slack, mattermost, telegram, discord, teams, googleChat, mailbox].map((double) => double.stop()));
});

const textOf = ({ content }: Pick<ChatMessage, 'content'>): string =>
  JSON.stringify(content).replaceAll(/\u200B|\\\\/g, '');

async function killAndStart(): Promise<void> {
  await pause(BEFORE_RESULT_MS);
  await notifier.kill();
  await notifier.start();
}

interface Content {
  readonly attachments?: readonly Shown[];
  readonly props?: { readonly attachments: readonly Shown[] };
}

interface Shown {
  readonly blocks?: readonly { readonly type: string; readonly elements?: readonly { readonly value: string }[] }[];
  readonly actions?: readonly { readonly integration: { readonly url: string; readonly context: object } }[];
}

/** Presses the first button of a post as Ada, as its product reports that. Resolves with the status of the answer. */
async function press({ content }: ChatMessage): Promise<number> {
  const { attachments, props = { attachments: [] } } = content as Content;
  const [shown] = attachments ?? props.attachments;
  const button = shown?.actions?.[0]?.integration;
  if (button === undefined) return pressInSlack(shown?.blocks ?? []);
  const { context, url } = button;
  return report(url, JSON.stringify({ user_id: 'ada'.padEnd(26, '0'), context }), {
    'content-type': 'application/json',
  });
}

async function pressInSlack(blocks: NonNullable<Shown['blocks']>): Promise<number> {
  const value = blocks.find((block) => block.type === 'actions')?.elements?.[0]?.value;
  const payload = { type: 'block_actions', user: { id: 'U0ADA' }, actions: [{ value }] };
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const signature = slackSignature(body, Math.floor(Date.now() / 1_000));
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  return report(`${gatewayUrl}/callbacks/slack`, body, { ...form, ...signature });
}

async function report(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const answer = await fetch(url, { method: 'POST', body, headers });
  await answer.arrayBuffer();
  return answer.status;
}

/** Makes an integration whose channel follows the alert with this alias alone. */
async function follow(
  alias: string,
  { type, ...fields }: { readonly type: string } & Readonly<Record<string, string>>,
): Promise<void> {
  const alertFilter = {
    conditionMatchType: 'match-all-conditions',
    conditions: [{ field: 'alias', operation: 'equals', expectedValue: alias }],
  };
  await api.create('/v2/integrations', { type, name: scenario.name(`Channel of ${type}`), ...fields, alertFilter });
  // The alert is sent once alert-processor knows of the integration.
  await pause(2_000);
}

async function logOf(alertId: string): Promise<string> {
  const entries = await api.read<readonly { readonly log: string }[]>(`/v2/alerts/${alertId}/logs?limit=100`);
  return entries.map((entry) => entry.log).join('\n');
}

/** Waits until the channel has one post, with this text and so many replies. */
const onePost = async (
  double: { readonly posts: () => readonly ChatMessage[] },
  expected: string,
  replies: number,
): Promise<ChatMessage> =>
  eventually(
    () => {
      const [only, ...others] = double.posts();
      if (only === undefined) throw new Error('There is no post.');
      expect(others).toEqual([]);
      expect(textOf(only)).toContain(expected);
      expect(only.replies).toHaveLength(replies);
      return only;
    },
    { everyMs: 20 },
  );

describe.each(['SlackApp', 'Mattermost', 'Telegram'] as const)(
  'an alert in a channel of an integration of type %s',
  (type) => {
    const { channel, double, token } = CHANNELS[type];
    const post = (expected: string, replies: number) => onePost(double, expected, replies);

    const acknowledge = async (shown: ChatMessage, alias: string) => {
      const actor = WITH_BUTTONS.has(type) ? scenario.address('ada') : 'ada';
      if (!WITH_BUTTONS.has(type)) {
        await scenario.act(alias, 'acknowledge', { user: actor });
        return { actor, logged: 'accepted Acknowledge:' };
      }
      const status = await press(shown);
      if (status !== 200) throw new Error(`The press was answered ${status}.`);
      return { actor, logged: `${actor} acknowledges the alert by the button of a post in` };
    };

    it('is one post and its replies, with notifier killed between an event and its result, is acknowledged, by a button where there are buttons, and leaves no word after its deletion (C1, C2, C4, C7)', async () => {
      const alias = scenario.name(type);
      const secret = type === 'SlackApp' ? { signingSecret: SLACK_APP.signingSecret } : {};
      await follow(alias, { type, url: double.url, channel, token, ...secret });
      await scenario.alert({ alias, message: 'Disk full' });
      const first = await post('Disk full', 0);
      const { id } = await scenario.alertOf<{ readonly id: string }>(alias);
      await killAndStart();
      const { actor, logged } = await acknowledge(first, alias);
      await post(`Acknowledged by ${actor}`, 1);
      await killAndStart();
      await scenario.act(alias, 'notes', { user: 'ada', note: 'looking at it' });
      await scenario.act(alias, 'close', { user: 'ada' });
      const closed = await post('Closed by', 3);
      expect(closed.replies.map(textOf)).toEqual([
        expect.stringContaining('Acknowledged by'),
        expect.stringContaining('looking at it'),
        expect.stringContaining('Closed by'),
      ]);
      await eventually(async () => {
        const log = await logOf(id);
        expect(log).toContain(logged);
        for (const action of ['Create', 'Acknowledge', 'AddNote', 'Close'])
          expect(log).toContain(`accepted ${action}:`);
      });
      await api.expect(202, 'DELETE', `/v2/alerts/${id}`);
      const erased = await post('This alert was deleted.', 0);
      expect(textOf(erased)).not.toMatch(/Disk|ada/);
    });
  },
);

describe('an alert in a channel of an integration of type Discord', () => {
  const post = (expected: string, replies: number) => onePost(discord, expected, replies);

  it('is one post and the messages after it, with notifier killed between an event and its result, and leaves no word after its deletion (C1, C2, C4)', async () => {
    const alias = scenario.name('Discord');
    await follow(alias, { type: 'Discord', url: discord.url });
    await scenario.alert({ alias, message: 'Disk full' });
    await post('Disk full', 0);
    const { id } = await scenario.alertOf<{ readonly id: string }>(alias);
    await killAndStart();
    await scenario.act(alias, 'acknowledge', { user: 'ada' });
    await post('Acknowledged by', 1);
    await killAndStart();
    await scenario.act(alias, 'notes', { user: 'ada', note: 'looking at it' });
    await scenario.act(alias, 'close', { user: 'ada' });
    const closed = await post('Closed by', 3);
    expect(closed.replies.map(textOf)).toEqual([
      expect.stringContaining('Acknowledged by'),
      expect.stringContaining('looking at it'),
      expect.stringContaining('Closed by'),
    ]);
    await eventually(async () => {
      const log = await logOf(id);
      for (const action of ['Create', 'Acknowledge', 'AddNote', 'Close']) expect(log).toContain(`accepted ${action}:`);
      expect(log).not.toContain(DISCORD_WEBHOOK.token);
    });
    await api.expect(202, 'DELETE', `/v2/alerts/${id}`);
    const erased = await post('This alert was deleted.', 0);
    expect(textOf(erased)).not.toMatch(/Disk|ada/);
  });
});

describe.each(['MSTeamsV2', 'GoogleChat'] as const)('an alert in a channel of an integration of type %s', (type) => {
  const { double, secret } = KEEPING[type];
  const event = (expected: string, events: number) =>
    eventually(
      () => {
        const [first, ...others] = double.posts();
        expect([others.length, first?.replies.length]).toEqual([0, events]);
        expect(textOf(first?.replies.at(-1) ?? first ?? { content: {} })).toContain(expected);
      },
      { everyMs: 20 },
    );

  it('has a message about each event, with notifier killed between an event and its result (C1, C2)', async () => {
    const alias = scenario.name(type);
    await follow(alias, { type, url: double.url });
    await scenario.alert({ alias, message: 'Disk full' });
    await event('Disk full', 0);
    const { id } = await scenario.alertOf<{ readonly id: string }>(alias);
    await killAndStart();
    await scenario.act(alias, 'acknowledge', { user: 'ada' });
    await event('Acknowledged by', 1);
    await killAndStart();
    await scenario.act(alias, 'notes', { user: 'ada', note: 'looking at it' });
    await event('looking at it', 2);
    await scenario.act(alias, 'close', { user: 'ada' });
    await event('Closed by', 3);
    await eventually(async () => {
      const log = await logOf(id);
      for (const action of ['Create', 'Acknowledge', 'AddNote', 'Close']) expect(log).toContain(`accepted ${action}:`);
      expect(log).not.toContain(secret);
    });
    await api.expect(202, 'DELETE', `/v2/alerts/${id}`);
  });
});
