import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OutgoingCaller } from '@tocsin/http';
import {
  type GotifyMessage,
  type ProviderDouble,
  type PushoverMessage,
  startGotify,
  startPushover,
} from '@tocsin/testkit';
import { Gotify } from './gotify.ts';
import type { Push } from './message.ts';
import { Ntfy } from './ntfy.ts';
import { Pushover } from './pushover.ts';

const outgoing = new OutgoingCaller({ allowedRanges: ['127.0.0.1'] });
const TOKEN = 'a'.repeat(30);
const USER = 'u'.repeat(30);
const acknowledgeUrl = 'https://tocsin.example.com/acknowledge/x';
const push = (change: Partial<Push> = {}): Push => ({
  topic: 'gotify:a',
  title: '[P1] Disk full',
  text: 'No space\n"left" ü',
  priority: 5,
  sequence: 's1',
  asksForAction: true,
  acknowledgeUrl,
  ...change,
});

describe('Gotify', () => {
  let gotify: ProviderDouble<GotifyMessage>;
  beforeEach(async () => {
    gotify = await startGotify('app-1');
  });
  afterEach(() => gotify.stop());

  it('sends to the application of the user, and a tap opens the page that acknowledges', async () => {
    const service = { name: 'gotify', key: 'app-1' } as const;
    await new Gotify(`${gotify.url}/`, outgoing).send(push({ service }));
    expect(gotify.taken).toEqual([
      {
        token: 'app-1',
        title: '[P1] Disk full',
        message: 'No space\n"left" ü',
        priority: 10,
        extras: { 'client::notification': { click: { url: acknowledgeUrl } } },
      },
    ]);
  });

  it('takes its devices alone, and says that an application is gone', async () => {
    const provider = new Gotify(gotify.url, outgoing);
    const of = (name: 'gotify' | 'pushover') => push({ service: { name, key: 'k' } });
    const ntfy = new Ntfy({ url: gotify.url }, outgoing, { newest: () => Promise.resolve(undefined) });
    expect([provider.takes(of('gotify')), provider.takes(of('pushover')), provider.takes(push())]).toEqual([
      true,
      false,
      false,
    ]);
    expect([ntfy.takes(of('gotify')), ntfy.takes(push())]).toEqual([false, true]);
    expect(await provider.send(of('gotify'))).toMatchObject({ kind: 'permanent' });
  });
});

describe('Pushover', () => {
  let pushover: ProviderDouble<PushoverMessage>;
  const service = { name: 'pushover', key: USER, alertKey: 'the-alert' } as const;
  const send = (change: Partial<Push> = {}) =>
    new Pushover({ url: pushover.url, token: TOKEN }, outgoing).send(push({ service, ...change }));
  beforeEach(async () => {
    pushover = await startPushover(TOKEN, USER);
  });
  afterEach(() => pushover.stop());

  it('rings about a P1 until its user acknowledges it, which acknowledges the alert by its link', async () => {
    expect(await send()).toEqual({ kind: 'accepted', response: 'request1' });
    expect(pushover.taken).toEqual([
      {
        user: USER,
        title: '[P1] Disk full',
        message: 'No space\n"left" ü',
        url: acknowledgeUrl,
        url_title: 'Acknowledge',
        priority: 2,
        retry: 60,
        expire: 1_800,
        callback: acknowledgeUrl,
        tags: 'the-alert',
      },
    ]);
  });

  it.each([
    [5, false, 1],
    [4, true, 1],
    [3, true, 0],
    [2, true, -1],
    [1, true, -1],
  ] as const)('of priority %s, asking for an action: %s, has the priority %s', async (priority, asks, expected) => {
    const { asksForAction: _, ...rest } = push({ service, priority });
    await new Pushover({ url: pushover.url, token: TOKEN }, outgoing).send({
      ...rest,
      ...(asks && { asksForAction: true }),
    });
    expect(pushover.taken[0]).toMatchObject({ priority: expected });
    expect(pushover.taken[0]).not.toHaveProperty('retry');
  });

  it('ends what rings about an alert before the update that it is acknowledged, which goes out in any case', async () => {
    const { asksForAction: _, ...update } = push({ service, outdates: { alertId: 'a1', userId: 'ada' } });
    const provider = new Pushover({ url: pushover.url, token: TOKEN }, outgoing);
    await provider.send(update);
    pushover.next({ refuse: 500 });
    await provider.send(update);
    expect(pushover.taken.map(({ cancelled, priority }) => cancelled ?? priority)).toEqual(['the-alert', 1, 1]);
  });

  it('keeps to the limits of Pushover, whatever a text has', async () => {
    for (const text of ['', 'ü'.repeat(4_000), '🔥'.repeat(4_000)])
      expect(await send({ text, acknowledgeUrl: `https://tocsin.example.com/${'x'.repeat(600)}` })).toMatchObject({
        kind: 'accepted',
      });
    expect(await send({ service: { name: 'pushover', key: 'x' } })).toMatchObject({ kind: 'permanent' });
  });
});
