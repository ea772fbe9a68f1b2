import { afterEach, describe, expect, it } from '@jest/globals';
import { ManualClock, UnavailableError } from '@tocsin/core';
import type { IntegrationState, UserState, WebhookSettings } from '@tocsin/events';
import { OutgoingCaller } from '@tocsin/http';
import { collectionOf } from '@tocsin/mongo';
import { startTelegram, TELEGRAM_BOT } from '@tocsin/testkit';
import { AnswerAlerts } from '../answers/operations.ts';
import { PushedPages } from '../channels/push/pushed-page-store.ts';
import { ChatPosts } from '../chat/store.ts';
import { TrustedAccounts } from '../chat/trusted-accounts.ts';
import { DELIVERIES, type DeliveryDocument } from '../messages/delivery-document.ts';
import { KnownAlerts } from '../testing/known-alerts.ts';
import { useStores } from '../testing/mongo-fixture.ts';
import { ada } from '../testing/page-samples.ts';
import { webhookSettings } from '../testing/webhook-samples.ts';
import { BotClient } from './client.ts';
import { TakeUpdates } from './operations.ts';
import { TakePresses } from './press-operations.ts';
import { ReadBot } from './task.ts';

const NOW = new Date('2026-01-05T08:00:00Z');
const DAY_MS = 86_400_000;
const ACCOUNT = '7001';
const PAGE = { channel: ACCOUNT, id: '55' };
const POST = { channel: TELEGRAM_BOT.chat, id: '77' };

const open = useStores();
const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

/** Ada has linked her account, was paged about an alert, and a channel has a post about it. */
async function setUp() {
  const { acts, commands, connection, decisions } = await open();
  const telegram = await startTelegram();
  closings.push(() => telegram.stop());
  const clock = new ManualClock(NOW);
  const alerts = new KnownAlerts();
  const chat = { provider: 'telegram', channel: TELEGRAM_BOT.chat, token: TELEGRAM_BOT.token, thread: 'all' } as const;
  const integration: IntegrationState = {
    id: 'hook',
    name: 'Ops',
    type: 'Telegram',
    enabled: true,
    allowReadAccess: true,
    allowWriteAccess: true,
    allowConfigurationAccess: false,
    suppressNotifications: false,
  };
  const state: { user: UserState | Error | undefined; settings: WebhookSettings; integration: IntegrationState } = {
    user: ada(),
    settings: webhookSettings({ url: telegram.url, chat }),
    integration,
  };
  const users = {
    get: () => undefined,
    isDeleted: () => false,
    fetch: (index: string, value: string) => {
      if (Error.isError(state.user)) return Promise.reject(state.user);
      return Promise.resolve(index === 'telegram' && value === `telegram:${ACCOUNT}` ? state.user : undefined);
    },
  };
  await collectionOf<DeliveryDocument>(connection, DELIVERIES).insertOne({
    _id: 'p1',
    method: 'mobile',
    state: 'sent',
    to: `telegram:${ACCOUNT}`,
    reason: PAGE.id,
    page: { alertId: 'a1', pageId: 'p1', userId: 'ada' },
    endedAt: NOW,
  } as unknown as DeliveryDocument);
  const posts = new ChatPosts(connection);
  const reference = { channel: POST.channel, post: POST.id };
  const shown = (version: number, at = NOW) =>
    posts.put(
      { alertId: 'a1', integrationId: 'hook' },
      { deliveryId: `d${version}`, reference, version },
      { at, isNew: true },
    );
  await shown(1);
  const outcomes: string[] = [];
  const failures: unknown[] = [];
  const bot = { url: telegram.url, token: TELEGRAM_BOT.token };
  const client = new BotClient(bot, new OutgoingCaller({ allowedRanges: ['127.0.0.1'] }));
  const presses = new TakePresses({
    pages: new PushedPages(connection, (error) => void failures.push(error)),
    posts,
    settings: { of: () => Promise.resolve(state.settings) },
    integrations: { get: () => state.integration },
    accounts: new TrustedAccounts([], { bot, isReachable: true }),
    users,
    roles: { get: () => undefined },
    alerts,
    answers: new AnswerAlerts({ acts, alerts, users, clock }),
    clock,
  });
  const reader = () =>
    new ReadBot({
      client,
      updates: new TakeUpdates({
        bot: client,
        links: { remove: () => Promise.resolve(undefined), use: () => Promise.reject(new Error('it is no link')) },
        presses,
        onPress: (outcome) => void outcomes.push(outcome),
        onFailure: (error) => void failures.push(error),
      }),
      isLeased: () => true,
      onRead: () => Promise.resolve(),
    });
  let reading = reader();
  const look = () => reading.activate(new AbortController().signal);
  /** The text that the presser alone sees, and whether they have to close it. */
  const press = async (
    message: { channel: string; id: string; editedAt?: number },
    action: string,
    account = ACCOUNT,
  ) => {
    telegram.presses(account, message, action);
    await look();
    const answer = telegram.answers.at(-1);
    expect(answer?.account).toBe(account);
    return [answer?.text, answer?.isAlert] as const;
  };
  const restart = (): void => {
    reading = reader();
  };
  return {
    alerts,
    clock,
    commands,
    decisions,
    failures,
    look,
    outcomes,
    posts,
    press,
    restart,
    shown,
    state,
    telegram,
  };
}

describe('a button below a post of Telegram (C7)', () => {
  it('acts once as the user who linked the account, also where notifier dies before it has confirmed the press', async () => {
    const { commands, decisions, look, outcomes, press, restart, shown } = await setUp();
    expect(await press(POST, 'acknowledge')).toEqual(['This alert: your acknowledgement is accepted.', false]);
    restart();
    await look();
    expect(await press(POST, 'acknowledge')).toEqual(['This alert: you have acknowledged it already.', true]);
    expect(await press(POST, 'snooze')).toEqual([
      'This alert: your order to snooze it for an hour is accepted.',
      false,
    ]);
    expect(await commands()).toMatchObject([
      { kind: 'acknowledge', actor: 'ada@example.com', source: 'telegram', identifier: { type: 'id', value: 'a1' } },
      { kind: 'snooze', endTime: '2026-01-05T09:00:00.000Z' },
    ]);
    expect((await decisions())[0]?.findings[0]?.text).toBe(
      'ada@example.com acknowledges the alert by the button of a message in Telegram of integration [Ops].',
    );
    expect(outcomes).toEqual(['acted', 'repeated', 'repeated', 'acted']);
    await shown(2);
    restart();
    await look();
    expect(outcomes.slice(4)).toEqual(['repeated']);
    expect(await press({ ...POST, editedAt: NOW.getTime() / 1_000 + 60 }, 'acknowledge')).toEqual([
      'This alert: your acknowledgement is accepted.',
      false,
    ]);
  });

  it('changes nothing for an account that no user linked, or whose user is blocked or may only read', async () => {
    const { commands, outcomes, press, state } = await setUp();
    expect(await press(POST, 'close', '7002')).toEqual([expect.stringContaining('has linked this account'), true]);
    for (const role of ['observer', 'stakeholder', 'Night watch']) {
      state.user = ada({ role });
      expect(await press(POST, 'close')).toEqual([expect.stringContaining('may not change alerts'), true]);
    }
    state.user = ada({ blocked: true });
    expect(await press(POST, 'close')).toEqual([expect.stringContaining('has linked this account'), true]);
    expect([await commands(), new Set(outcomes)]).toEqual([[], new Set(['unusable'])]);
  });

  it('acts also in a private chat, if an integration posts there', async () => {
    const { commands, posts, press } = await setUp();
    const reference = { channel: ACCOUNT, post: '88' };
    const about = { alertId: 'a2', integrationId: 'hook' };
    await posts.put(about, { deliveryId: 'd9', reference, version: 1 }, { at: NOW, isNew: true });
    expect(await press({ channel: ACCOUNT, id: '88' }, 'close')).toEqual([
      expect.stringContaining('is accepted'),
      false,
    ]);
    expect(await commands()).toMatchObject([{ kind: 'close', identifier: { type: 'id', value: 'a2' } }]);
  });

  it('of an integration of a team changes only alerts that its team may see (K4)', async () => {
    const { alerts, commands, press, state } = await setUp();
    state.integration = { ...state.integration, ownerTeamId: 't1' };
    alerts.set({ teamIds: ['t2'] });
    expect(await press(POST, 'close')).toEqual([expect.stringContaining('no longer an alert of the team'), true]);
    expect(await commands()).toEqual([]);
    alerts.set({ teamIds: ['t1'] });
    expect(await press(POST, 'close')).toEqual([expect.stringContaining('is accepted'), false]);
  });

  it('does nothing below a message of a server or bot that the integration chose itself', async () => {
    const { commands, press, state } = await setUp();
    const { chat } = state.settings;
    if (chat === undefined) throw new Error('It is no chat.');
    const ofOthers = [
      { url: 'http://127.0.0.1:1' },
      { chat: { ...chat, token: '123456789:BB-token-of-another-bot' } },
      { isOn: false },
    ];
    for (const change of ofOthers) {
      const before = state.settings;
      state.settings = { ...before, ...change };
      expect(await press(POST, 'close')).toEqual([expect.stringContaining('does not know this message'), true]);
      state.settings = before;
    }
    expect(await press({ ...POST, id: '78' }, 'close')).toEqual([expect.stringContaining('does not know'), true]);
    expect(await commands()).toEqual([]);
  });

  it('works for 7 days', async () => {
    const { clock, commands, press } = await setUp();
    clock.advance(7 * DAY_MS + 1);
    expect(await press(POST, 'close')).toEqual([expect.stringContaining('has expired'), true]);
    expect(await press(PAGE, 'close')).toEqual([expect.stringContaining('has expired'), true]);
    expect(await commands()).toEqual([]);
  });

  it('asks to press again where the user cannot be looked up, which is the same act', async () => {
    const { commands, failures, press, state } = await setUp();
    state.user = new UnavailableError('Directory is unavailable.');
    expect(await press(POST, 'close')).toEqual([expect.stringContaining('Please press again'), true]);
    expect(failures).toHaveLength(1);
    state.user = ada();
    expect(await press(POST, 'close')).toEqual([expect.stringContaining('is accepted'), false]);
    expect(await commands()).toHaveLength(1);
  });
});

describe('a button below a page in Telegram (U13)', () => {
  it('acts as the user who was paged, and as no other', async () => {
    const { commands, decisions, press, state, telegram } = await setUp();
    state.user = ada({ id: 'bob', username: 'bob@example.com' });
    expect(await press(PAGE, 'close')).toEqual([expect.stringContaining('is of another user'), true]);
    state.user = ada();
    expect(await press(PAGE, 'acknowledge')).toEqual(['This alert: your acknowledgement is accepted.', false]);
    expect(await press(PAGE, 'close')).toEqual(['This alert: your order to close it is accepted.', false]);
    const edits = telegram.requests.filter(({ path }) => path.endsWith('/editMessageReplyMarkup'));
    expect(edits.map(({ body }) => (JSON.parse(body) as { reply_markup: unknown }).reply_markup)).toEqual([
      { inline_keyboard: [[{ text: 'Close', callback_data: 'close' }]] },
      { inline_keyboard: [] },
    ]);
    expect(await commands()).toMatchObject([{ kind: 'acknowledge', actor: 'ada@example.com' }, { kind: 'close' }]);
    expect((await decisions())[0]?.findings[0]?.text).toBe(
      'ada@example.com acknowledges the alert by the button of a message in Telegram.',
    );
  });

  it.each([
    [{ acknowledged: true }, 'acknowledge', 'it is acknowledged already.'],
    [{ status: 'closed' }, 'acknowledge', 'nothing was changed, it is closed.'],
    ['gone', 'close', 'nothing was changed, it was deleted.'],
  ] as const)('changes nothing where the alert is %j', async (alert, action, text) => {
    const { alerts, commands, outcomes, press } = await setUp();
    alerts.set(alert);
    expect(await press(PAGE, action)).toEqual([`This alert: ${text}`, true]);
    expect([await commands(), outcomes]).toEqual([[], ['pointless']]);
  });

  it('with an action that Tocsin does not have is skipped', async () => {
    const { commands, look, telegram } = await setUp();
    telegram.presses(ACCOUNT, PAGE, 'delete');
    await look();
    expect([await commands(), telegram.answers]).toEqual([[], []]);
  });
});
