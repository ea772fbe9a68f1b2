import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OutgoingCaller } from '@tocsin/http';
import { type BrowserSubscription, type PushService, startPushService } from '@tocsin/testkit';
import type { Push } from './message.ts';
import { vapidKeys, WEB_PUSH_SETTINGS } from './vapid.ts';
import { payloadOf, WebPush } from './web-push.ts';

const SETTINGS = {
  vapidPrivateKey: Buffer.alloc(32, 9).toString('base64url'),
  vapidSubject: undefined,
  publicUrl: 'https://tocsin.example.com',
  mailFrom: 'Tocsin <tocsin@example.com>',
};
const outgoing = new OutgoingCaller({ allowedRanges: ['127.0.0.1'] });

const keysOf = (change: Partial<typeof SETTINGS> = {}) => {
  const keys = vapidKeys({ ...SETTINGS, ...change });
  if (keys === undefined) throw new Error('there is a private key');
  return keys;
};

let service: PushService;
let subscription: BrowserSubscription;
const provider = new WebPush(keysOf(), outgoing);

beforeEach(async () => {
  service = await startPushService();
  subscription = service.subscribe(keysOf().publicKey);
});
afterEach(() => service.stop());

const pushTo = ({ endpoint, keys }: BrowserSubscription, change: Partial<Push> = {}): Push => ({
  topic: 'browser-1',
  title: '[P1] Disk full (#7)',
  text: '> No space "left" ü',
  priority: 5,
  sequence: 's1',
  browser: { key: 'x'.repeat(32), alertId: 'a1', subscription: { endpoint, ...keys } },
  ...change,
});

describe('WebPush', () => {
  it('sends a page that only its browser can read, urgent, for an hour, and replaced by the next about its alert', async () => {
    const acknowledgeUrl = 'https://tocsin.example.com/acknowledge/x';
    const push = pushTo(subscription, { acknowledgeUrl });
    expect(await provider.send(push)).toEqual({ kind: 'accepted', response: 'it answered 201' });
    expect(service.taken).toEqual([
      {
        endpoint: subscription.endpoint,
        payload: { title: push.title, text: push.text, key: 'x'.repeat(32), alertId: 'a1', acknowledgeUrl },
        ttl: 3_600,
        urgency: 'high',
        topic: 'x'.repeat(32),
        subject: 'https://tocsin.example.com',
      },
    ]);
    expect(service.requests[0]?.body).not.toContain('Disk full');
  });

  it('does not wake a phone that saves its battery for a page that is not urgent', async () => {
    await provider.send(pushTo(subscription, { priority: 3 }));
    expect(service.taken).toMatchObject([{ urgency: 'normal' }]);
  });

  it.each([404, 410])('knows by %i that the browser is no longer subscribed', async (status) => {
    service.next({ refuse: status });
    expect(await provider.send(pushTo(subscription))).toEqual({
      kind: 'permanent',
      reason: `it answered ${status}: the browser is no longer subscribed`,
      isUnsubscribed: true,
    });
  });

  it.each([400, 401, 403, 413])('takes %i for a refusal that ends no subscription', async (status) => {
    service.next({ refuse: status, body: 'no' });
    expect(await provider.send(pushTo(subscription))).toEqual({
      kind: 'permanent',
      reason: `it answered ${status}`,
    });
  });

  it('is refused where the browser has subscribed with another key of the installation', async () => {
    const other = new WebPush(keysOf({ vapidPrivateKey: Buffer.alloc(32, 8).toString('base64url') }), outgoing);
    expect(await other.send(pushTo(subscription))).toMatchObject({ kind: 'permanent' });
    expect(service.taken).toEqual([]);
  });

  it('sends nothing to a browser that was removed a moment ago, nor with keys that are none', async () => {
    expect(await provider.send(pushTo(subscription, { browser: { key: 'k', subscription: undefined } }))).toEqual({
      kind: 'permanent',
      reason: 'the browser is no longer registered',
    });
    const broken = { ...subscription, keys: { ...subscription.keys, p256dh: 'A'.repeat(87) } };
    expect(await provider.send(pushTo(broken))).toEqual({
      kind: 'permanent',
      reason: 'its keys can not encrypt a message',
    });
    expect(service.requests).toEqual([]);
  });

  it('says neither what an address leads to nor what the server there answers', async () => {
    service.next({ refuse: 400, body: 'a secret of the intranet' });
    expect(JSON.stringify(await provider.send(pushTo(subscription)))).not.toContain('secret');
    const guarded = new WebPush(keysOf(), new OutgoingCaller({ allowedRanges: [] }));
    expect(await guarded.send(pushTo(subscription))).toEqual({
      kind: 'permanent',
      reason: 'it may not be called: its address is not public',
    });
  });

  it.each(['x', '"', 'ü', '🔥', '\u0001'])('cuts a text of %j that does not fit, never within a character', (unit) => {
    const payload = payloadOf(pushTo(subscription, { text: unit.repeat(8_000), title: unit.repeat(200) }));
    expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(3_993);
    expect(Buffer.byteLength(payload)).toBeGreaterThan(3_900);
    const { text } = JSON.parse(payload) as { text: string };
    expect(text.replaceAll(unit, '')).toBe('…');
  });

  it('takes only what goes to a browser', () => {
    expect(provider.takes(pushTo(subscription))).toBe(true);
    const { browser: _, ...toTopic } = pushTo(subscription);
    expect(provider.takes(toTopic)).toBe(false);
  });
});

describe('the keys of the installation', () => {
  it('name the sender: the setting, else the address for users where it is https, else the sender of mails', () => {
    expect(keysOf({ vapidSubject: 'mailto:ops@example.com' } as object).subject).toBe('mailto:ops@example.com');
    expect(keysOf().subject).toBe('https://tocsin.example.com');
    expect(keysOf({ publicUrl: 'http://127.0.0.1:8080' }).subject).toBe('mailto:tocsin@example.com');
  });

  it('are read of 32 bytes in base64 of either alphabet and in hexadecimal', () => {
    const key = Buffer.alloc(32, 0xfb);
    const { VAPID_PRIVATE_KEY: setting } = WEB_PUSH_SETTINGS;
    for (const form of ['base64', 'base64url', 'hex'] as const)
      expect(setting.parse(` ${key.toString(form)}\n`)).toBe(key.toString('base64url'));
  });

  it.each(['', 'short', Buffer.alloc(33, 1).toString('base64'), Buffer.alloc(32).toString('base64'), 'f'.repeat(64)])(
    'are refused as %j',
    (written) => {
      expect(WEB_PUSH_SETTINGS.VAPID_PRIVATE_KEY.safeParse(written).success).toBe(false);
    },
  );
});
