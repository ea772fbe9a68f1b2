import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OutgoingCaller } from '@tocsin/http';
import { startTelegram, TELEGRAM_BOT, type TelegramDouble } from '@tocsin/testkit';
import type { Push } from './message.ts';
import type { PushedPage } from './pushed-page-store.ts';
import { TelegramPush } from './telegram.ts';

const ADA = '7001';
const outgoing = new OutgoingCaller({ allowedRanges: ['127.0.0.1'] });
const push = (change: Partial<Push> = {}): Push => ({
  topic: `telegram:${ADA}`,
  title: '[P1] Disk <full> @all',
  text: 'No space & "left" ü',
  priority: 5,
  sequence: 's1',
  asksForAction: true,
  acknowledgeUrl: 'https://tocsin.example.com/acknowledge/x',
  service: { name: 'telegram', key: ADA },
  ...change,
});
const update = { outdates: { alertId: 'a1', userId: 'ada' }, title: 'bob acknowledged #7', text: '' };

let telegram: TelegramDouble;
let page: PushedPage | undefined;
const send = (change: Partial<Push> = {}) => {
  const bot = { url: telegram.url, token: TELEGRAM_BOT.token };
  return new TelegramPush(bot, outgoing, { newest: () => Promise.resolve(page) }).send(push(change));
};
const shown = () => telegram.posts(ADA).map(({ content }) => String(content['text']));

beforeEach(async () => {
  telegram = await startTelegram();
  telegram.says(ADA, '/start');
  page = undefined;
});
afterEach(() => telegram.stop());

describe('a page in Telegram', () => {
  it('has texts of others as texts, and a link that acknowledges; its id is the response', async () => {
    const result = await send();
    const [post] = telegram.posts(ADA);
    expect(result).toEqual({ kind: 'accepted', response: post?.id });
    expect(shown()).toEqual([
      '<b>[P1] Disk &lt;full&gt; @\u200Ball</b>\n\nNo space &amp; &quot;left&quot; ü\n\n<a href="https://tocsin.example.com/acknowledge/x">Acknowledge in the browser</a>',
    ]);
    expect(post?.content).not.toHaveProperty('disable_notification');
  });

  it('has buttons where it is about one alert that its user may act on', async () => {
    const service = { name: 'telegram', key: ADA } as const;
    const { asksForAction: _, ...update } = push();
    await send({ service: { ...service, alertKey: 'the-alert' } });
    await send({ service });
    const bot = { url: telegram.url, token: TELEGRAM_BOT.token };
    const provider = new TelegramPush(bot, outgoing, { newest: () => Promise.resolve(undefined) });
    await provider.send({ ...update, service: { ...service, alertKey: 'the-alert' } });
    const rows = [
      [
        { text: 'Acknowledge', callback_data: 'acknowledge' },
        { text: 'Close', callback_data: 'close' },
      ],
    ];
    expect(telegram.posts(ADA).map(({ content }) => content['reply_markup'])).toEqual([
      { inline_keyboard: rows },
      undefined,
      undefined,
    ]);
  });

  it('makes no sound where it is not urgent', async () => {
    await send({ priority: 2 });
    expect(telegram.posts(ADA)[0]?.content).toMatchObject({ disable_notification: true });
  });

  it('is edited by the status update that makes it out of date', async () => {
    await send();
    page = { deliveryId: 'd1', response: telegram.posts(ADA)[0]?.id ?? '' };
    const { acknowledgeUrl: _, ...rest } = push();
    expect(await send({ ...rest, ...update })).toEqual({ kind: 'accepted', response: page.response });
    // A repeat after a crash changes nothing.
    expect(await send({ ...rest, ...update })).toEqual({ kind: 'accepted', response: page.response });
    expect(shown()).toEqual([expect.stringContaining('bob acknowledged #7')]);
  });

  it.each(['999', '', 'it answered 200, and broke off'])(
    'is followed by the update as a message of its own where it is gone or not known: %j',
    async (response) => {
      await send();
      page = { deliveryId: 'd1', response };
      await send(update);
      expect(shown()).toHaveLength(2);
    },
  );

  it('keeps to the length of Telegram, whatever a text has', async () => {
    for (const text of ['ü'.repeat(9_000), '🔥'.repeat(9_000), '<'.repeat(9_000)])
      expect(await send({ text })).toMatchObject({ kind: 'accepted' });
  });

  it('is refused for good by a user who blocked the bot, and the reason says so', async () => {
    telegram.block(ADA);
    expect(await send()).toEqual({
      kind: 'permanent',
      reason: 'it answered 403: Forbidden: bot was blocked by the user (its user blocked the bot)',
    });
  });

  it('waits as long as Telegram asks for this user alone', async () => {
    const parameters = { retry_after: 17 };
    telegram.next({ refuse: 429, body: JSON.stringify({ ok: false, description: 'Too Many Requests', parameters }) });
    expect(await send()).toMatchObject({ kind: 'temporary', retryAfterMs: 17_000, isLimitOfRecipient: true });
  });

  it('shows no token, whatever Telegram repeats', async () => {
    const { token } = TELEGRAM_BOT;
    telegram.next({ refuse: 400, body: JSON.stringify({ ok: false, description: `no path /bot${token}/x` }) });
    const results = [await send()];
    await telegram.stop();
    results.push(await send());
    expect(JSON.stringify(results)).not.toContain(token.slice(-10));
    telegram = await startTelegram();
  });
});
