import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ChatMessage,
  DISCORD_WEBHOOK,
  eventually,
  GOOGLE_CHAT_WEBHOOK,
  type Mailbox,
  MATTERMOST_BOT,
  mattermostCommand,
  Scenario,
  SLACK_APP,
  slackCommand,
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
const telegram = await startTelegram();

interface Product {
  readonly double: { readonly url: string; readonly posts: (channel?: string) => readonly ChatMessage[] };
  /** No log has it. */
  readonly secret: string;
  /** The fields of an integration beside its URL. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly hasButtons?: true;
  /** Posts stay as they are: each event is a message of its own. */
  readonly isKept?: true;
}

const PRODUCTS = {
  SlackApp: {
    double: slack,
    secret: SLACK_APP.token,
    fields: { channel: 'C0ALERTS', token: SLACK_APP.token, signingSecret: SLACK_APP.signingSecret },
    hasButtons: true,
  },
  Mattermost: {
    double: mattermost,
    secret: MATTERMOST_BOT.token,
    fields: {
      channel: MATTERMOST_BOT.channel,
      token: MATTERMOST_BOT.token,
      commandToken: MATTERMOST_BOT.commandToken,
    },
    hasButtons: true,
  },
  Telegram: {
    double: telegram,
    secret: TELEGRAM_BOT.token,
    fields: { channel: TELEGRAM_BOT.chat, token: TELEGRAM_BOT.token },
  },
  Discord: { double: discord, secret: DISCORD_WEBHOOK.token },
  MSTeamsV2: { double: teams, secret: TEAMS_WORKFLOW.signature, isKept: true },
  GoogleChat: { double: googleChat, secret: GOOGLE_CHAT_WEBHOOK.token, isKept: true },
} as const satisfies Readonly<Record<string, Product>>;
type ProductName = keyof typeof PRODUCTS;
const NAMES = Object.keys(PRODUCTS) as ProductName[];

/** The channels have an event, and most of its results are not written yet: notifier keeps the pace of each channel in between. */
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
  await scenario.users('ada', 'bob');
  await followEach();
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
  return report(`${gatewayUrl}/callbacks/slack`, body, { ...FORM, ...signature });
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Reports a command of Ada at the URL of an integration, as its product does. Resolves with the text that she alone sees. */
async function command(type: 'SlackApp' | 'Mattermost', integrationId: string, text: string): Promise<string> {
  const isSlack = type === 'SlackApp';
  const body = isSlack ? slackCommand(text) : mattermostCommand(text);
  const headers = { ...FORM, ...(isSlack && slackSignature(body, Math.floor(Date.now() / 1_000))) };
  const url = `${gatewayUrl}/callbacks/${isSlack ? 'slack' : 'mattermost'}?integration=${integrationId}`;
  const answer = await fetch(url, { method: 'POST', body, headers });
  const { text: shown } = (await answer.json()) as { readonly text?: string };
  if (shown === undefined) throw new Error(`The command was answered ${answer.status}.`);
  return shown.replaceAll(/\u200B|\\/g, '');
}

async function report(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const answer = await fetch(url, { method: 'POST', body, headers });
  await answer.arrayBuffer();
  return answer.status;
}

/** The steps of one alert, in the channel of one product that follows it alone. */
function alertIn(name: ProductName) {
  const { double, fields, hasButtons, isKept, secret }: Product = PRODUCTS[name];
  const alias = scenario.name(name);
  let id = '';

  /** Waits until the channel has one post with so many replies, and the text: in the post, or in the last message where posts are kept. */
  const shows = async (expected: string, replies: number): Promise<ChatMessage> =>
    eventually(
      () => {
        const [only, ...others] = double.posts();
        if (only === undefined) throw new Error(`There is no post in ${name}.`);
        expect(others).toEqual([]);
        expect(only.replies).toHaveLength(replies);
        expect(textOf((isKept === true ? only.replies.at(-1) : undefined) ?? only)).toContain(expected);
        return only;
      },
      { everyMs: 20 },
    );

  const follow = async (): Promise<void> => {
    const alertFilter = {
      conditionMatchType: 'match-all-conditions',
      conditions: [{ field: 'alias', operation: 'equals', expectedValue: alias }],
    };
    const channel = scenario.name(`Channel of ${name}`);
    await api.create('/v2/integrations', { type: name, name: channel, url: double.url, ...fields, alertFilter });
  };

  const open = async (): Promise<void> => {
    await scenario.alert({ alias, message: 'Disk full' });
    await shows('Disk full', 0);
    ({ id } = await scenario.alertOf<{ readonly id: string }>(alias));
  };

  /** By the button of the post, where it has one. */
  const acknowledge = async (): Promise<void> => {
    const [post] = double.posts();
    if (hasButtons === true && post !== undefined) expect(await press(post)).toBe(200);
    else await scenario.act(alias, 'acknowledge', { user: 'ada' });
    await shows('Acknowledged by', 1);
  };

  const close = async (): Promise<void> => {
    await scenario.act(alias, 'notes', { user: 'ada', note: 'looking at it' });
    await scenario.act(alias, 'close', { user: 'ada' });
    const { replies } = await shows('Closed by', 3);
    expect(replies.map(textOf)).toEqual(
      ['Acknowledged by', 'looking at it', 'Closed by'].map((text): unknown => expect.stringContaining(text)),
    );
  };

  const remove = async (): Promise<void> => {
    const actor = scenario.address('ada');
    await eventually(async () => {
      const log = await logOf(id);
      for (const action of ['Create', 'Acknowledge', 'AddNote', 'Close']) expect(log).toContain(`accepted ${action}:`);
      if (hasButtons === true) expect(log).toContain(`${actor} acknowledges the alert by the button of a post in`);
      expect(log).not.toContain(secret);
    });
    await api.expect(202, 'DELETE', `/v2/alerts/${id}`);
    if (isKept !== true) expect(textOf(await shows('This alert was deleted.', 0))).not.toMatch(/Disk|ada/);
  };

  return { follow, open, acknowledge, close, remove };
}

/** The result of each product. */
const results = new Map<ProductName, Promise<void>>();

/** Follows one alert in each product, in all at the same time: notifier is killed for all of them. A product that fails fails its own test. */
async function followEach(): Promise<void> {
  const alerts = NAMES.map((name) => ({ name, alert: alertIn(name) }));
  await Promise.all(alerts.map(({ alert }) => alert.follow()));
  // An alert is sent once alert-processor knows of the integration.
  await pause(2_000);
  const inEach = async (next: (alert: ReturnType<typeof alertIn>) => Promise<void>): Promise<void> => {
    for (const { name, alert } of alerts) {
      const before = results.get(name);
      results.set(
        name,
        (async () => {
          await before;
          await next(alert);
        })(),
      );
    }
    await Promise.allSettled(results.values());
  };
  await inEach((alert) => alert.open());
  await killAndStart();
  await inEach((alert) => alert.acknowledge());
  await killAndStart();
  await inEach((alert) => alert.close());
  await inEach((alert) => alert.remove());
}

async function logOf(alertId: string): Promise<string> {
  const entries = await api.read<readonly { readonly log: string }[]>(`/v2/alerts/${alertId}/logs?limit=100`);
  return entries.map((entry) => entry.log).join('\n');
}

describe('an alert in a channel', () => {
  it.each(NAMES)(
    'of an integration of type %s is one post and what follows it, with notifier killed between an event and its result, is acknowledged by a button where there are buttons, and leaves no word after its deletion where posts can be changed (C1, C2, C4, C7)',
    async (name) => {
      await expect(results.get(name)).resolves.toBeUndefined();
    },
  );
});

/** Ada opens an alert by a command, finds it in the list, works on it, and closes it. */
async function giveCommands(type: 'SlackApp' | 'Mattermost'): Promise<void> {
  const { double, fields } = PRODUCTS[type];
  const ada = scenario.address('ada');
  const team = scenario.name(`Database ${type}`);
  await api.create('/v2/teams', { name: team, members: [{ user: { username: ada } }] });
  const schedule = scenario.name(`Nights ${type}`);
  const participants = [{ type: 'user', username: ada }];
  const rotations = [{ startDate: '2026-01-01T00:00:00Z', type: 'daily', participants }];
  await api.create('/v2/schedules', { name: schedule, timezone: 'UTC', ownerTeam: { name: team }, rotations });
  const name = scenario.name(`Commands of ${type}`);
  const posts = { ...fields, url: double.url, sendAlertActions: false };
  const { id: integrationId } = await api.create('/v2/integrations', { type, name, ...posts });
  const give = (text: string) => command(type, integrationId, text);

  // It is taken once notifier knows of the integration.
  const taken = await eventually(() => give(`alert "Disk of ${type}" for ${team}`));
  expect(taken).toContain('is accepted');
  const tinyId = await eventually(async () => {
    const found = new RegExp(`#(\\d+) P3 Disk of ${type} \\(open\\)`).exec(await give('list'))?.[1];
    if (found === undefined) throw new Error('The alert is not listed.');
    return found;
  });
  const onCall = `${schedule}: ${ada}`;
  expect(await give(`who ${schedule}`)).toBe(onCall);
  const ofTeams = (await give('who')).split('\n');
  expect(ofTeams).toEqual(expect.arrayContaining([onCall, `${team}_schedule: no user is on call`]));
  expect(await give(`ack ${tinyId} 999999999`)).toMatch(/your acknowledgement is accepted[^]*no alert #999999999/);
  expect(await give(`note ${tinyId} looking at it`)).toContain('your note is accepted');
  await eventually(async () => {
    const path = `/v2/alerts/${tinyId}?identifierType=tiny`;
    const { id, ...alert } = await api.read<Readonly<Record<string, unknown>>>(path);
    expect(alert).toMatchObject({ acknowledged: true, owner: ada, responders: [{ type: 'team' }] });
    const log = await logOf(String(id));
    for (const done of ['acknowledges', 'adds a note to'])
      expect(log).toContain(`${ada} ${done} the alert by a command in`);
    expect(log).toContain(`of integration [${name}]`);
  });
  expect(await give(`close ${tinyId}`)).toContain('your order to close it is accepted');
  await eventually(async () => {
    expect(await give(`close ${tinyId}`)).toContain('it is closed already');
  });
}

describe('commands in a chat', () => {
  it('open, list, change and close alerts as their user, and say who is on call (C9)', async () => {
    const given = Promise.all([giveCommands('SlackApp'), giveCommands('Mattermost')]);
    await expect(given).resolves.toHaveLength(2);
  });
});

const plain = (text = ''): string => text.replaceAll(/\u200B|\\/g, '');

/** A channel that shows who is on call in a schedule of its own: Ada. */
async function onCallIn(type: 'SlackApp' | 'Mattermost') {
  const { double, fields } = PRODUCTS[type];
  const isSlack = type === 'SlackApp';
  const channel = isSlack ? 'C0OTHER' : 'other'.padEnd(26, '0');
  const name = scenario.name(`On call ${type}`);
  const rotations = [{ startDate: '2026-01-01T00:00:00Z', type: 'daily', participants: [scenario.user('ada')] }];
  const { id } = await api.create('/v2/schedules', { name, timezone: 'UTC', rotations });
  const userGroup = isSlack ? { userGroup: 'S0DATABASE' } : {};
  const onCall = [{ schedule: { name }, topic: true, announce: true, ...userGroup }];
  const posts = { ...fields, channel, url: double.url, sendAlertActions: false };
  await api.create('/v2/integrations', { type, name: scenario.name(`On call in ${type}`), ...posts, onCall });

  const shows = (user: 'ada' | 'bob', ...messages: readonly RegExp[]): Promise<void> =>
    eventually(
      () => {
        expect(plain(double.topic(channel))).toBe(`On call: ${name}: ${user}`);
        if (isSlack) expect(slack.members('S0DATABASE')).toEqual([`U0${user.toUpperCase()}`]);
        expect(double.posts(channel).map((post) => plain(textOf(post)))).toEqual(
          messages.map((message): unknown => expect.stringMatching(message)),
        );
      },
      { timeoutMs: 60_000 },
    );
  const handOver = async (): Promise<void> => {
    const [startDate, endDate] = [-1, 24].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
    const override = { alias: 'swap', user: scenario.user('bob'), startDate, endDate };
    await api.expect(201, 'POST', `/v2/schedules/${id}/overrides`, override);
  };
  return { shows, handOver };
}

describe('who is on call', () => {
  it('is in the topic and the user group of a channel, and a hand-over is announced once, with notifier killed before it (C10)', async () => {
    const channels = await Promise.all([onCallIn('SlackApp'), onCallIn('Mattermost')]);
    await Promise.all(channels.map(({ shows }) => shows('ada')));
    await notifier.kill();
    await Promise.all(channels.map(({ handOver }) => handOver()));
    await notifier.start();
    const announced = channels.map(({ shows }) => shows('bob', /bob is on call in On call .* until .* Before: ada\./));
    await expect(Promise.all(announced)).resolves.toHaveLength(2);
  });
});
