import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/core';
import { LinkSigner, PRINCIPAL_HEADER, PrincipalSigner } from '@tocsin/http';
import { twilioSignature } from '@tocsin/testkit';
import request from 'supertest';
import { TakeCallbacks } from './operations.ts';
import { TakeReceipts } from '../receipts/operations.ts';
import { GatewayCallbacks } from './gateway/callbacks.ts';
import { GatewayTemplates } from './gateway/settings.ts';
import { TwilioCallbacks } from './twilio/callbacks.ts';
import { beginAttempt, applyResult } from '../messages/attempts.ts';
import { keepForReceipt } from '../receipts/receipt.ts';
import type { CallbackProvider } from './callback-provider.ts';
import { ofUser } from '../messages/delivery.ts';
import type { BegunMessage } from '../queue/message-result.ts';
import { batch, expanded, expandNothing, NO_SLOTS } from '../testing/store-samples.ts';
import { setUpApp, SIGNING_KEY } from '../testing/app-fixture.ts';
import { useStores } from '../testing/mongo-fixture.ts';
import type { MongoStores } from '../testing/mongo-stores.ts';
import { deliveryOf, erase, page } from '../testing/page-samples.ts';
import { CallbackLinks, KeyLinks } from './callbacks/links.ts';

const KEYS = [SIGNING_KEY];
const TOKEN = 'a-token-of-twilio';
const DUE = new Date('2026-01-05T08:00:00Z');
const PROVIDERS = ['twilio', 'http'];
const waiting = deliveryOf(page(), { method: 'sms', to: '1-5551234567', dueAt: DUE });
const { deliveryId } = waiting;

const open = useStores();
let clock: ManualClock;
let stores: MongoStores;
let outcomes: string[];
let seconds: number[];
let links: CallbackLinks;

beforeEach(async () => {
  clock = new ManualClock(DUE);
  [outcomes, seconds] = [[], []];
  links = new CallbackLinks({ baseUrl: 'https://tocsin.example.com', links: new LinkSigner(KEYS, 'callback'), clock });
  await add();
  const { delivery, queue } = await begin();
  const sent = applyResult(ofUser(delivery), { kind: 'accepted', response: 'SM1' }, DUE, 0).delivery;
  const kept = keepForReceipt(sent, 'twilio', PROVIDERS, DUE);
  await stores.deliveries.recordResults([{ queue, delivery: kept }], DUE);
});

/** Adds the message to an empty database. */
async function add(): Promise<void> {
  stores = await open();
  await stores.settlePages([batch('pages.v1', [waiting.page])], () => expanded(waiting), NO_SLOTS);
}

async function begin(): Promise<BegunMessage> {
  const { claim, deliveries } = stores;
  const [begun] = (await deliveries.begin(await claim(DUE), DUE, (each) => ({ delivery: beginAttempt(each) }))).begun;
  if (begun === undefined) throw new Error('nothing was due');
  return begun;
}

function callbacks(): TakeCallbacks {
  const channels = new Map([['sms', { providers: PROVIDERS }] as const]);
  const onDelivered = (each: number): void => void seconds.push(each);
  const gateway = GatewayTemplates.parse({ url: 'https://sms.example.com/' });
  return new TakeCallbacks({
    urls: links,
    keyUrls: new KeyLinks({
      baseUrl: 'https://tocsin.example.com',
      links: new LinkSigner(KEYS, 'call-key'),
      clock,
    }),
    keys: { take: () => Promise.reject(new Error('no key was pressed')) },
    replies: { take: () => Promise.reject(new Error('no reply came')) },
    providers: new Map<string, CallbackProvider>([
      ['twilio', new TwilioCallbacks(TOKEN)],
      ['http', new GatewayCallbacks({ sms: gateway, voice: undefined })],
    ]),
    receipts: new TakeReceipts({ store: stores.receipts, channels, clock, onDelivered, onNotice: () => undefined }),
    onCallback: (outcome) => void outcomes.push(outcome),
  });
}

const urlOf = (provider: string, attempt = 1) => links.urlOf(provider, { method: 'sms', deliveryId, attempt });

const signatureOf = (url: string, fields: Readonly<Record<string, string>>): string =>
  twilioSignature(url, fields, TOKEN);

/** Calls `url` as the gateway passes it on. */
async function call(
  url: string,
  fields: Readonly<Record<string, string>> | string,
  headers: Readonly<Record<string, string>> = {},
  taking: TakeCallbacks | 'none' = callbacks(),
) {
  const { pathname, search } = new URL(url);
  const answer = await request(setUpApp({ callbacks: taking === 'none' ? undefined : taking }).app)
    .post(`${pathname}${search}`)
    .set(PRINCIPAL_HEADER, await new PrincipalSigner(KEYS).sign({ service: 'gateway' }, 'notifier', DUE))
    .set({ 'content-type': 'application/x-www-form-urlencoded', ...headers })
    .send(typeof fields === 'string' ? fields : new URLSearchParams(fields).toString());
  return { status: answer.status, body: answer.body as Record<string, unknown> };
}

/** The report of Twilio about the attempt, to `url`, with its signature. */
const twilio = (status: string, url = urlOf('twilio')) => {
  const fields = { MessageSid: 'SM1', MessageStatus: status, To: '+15551234567' };
  return call(url, fields, { 'x-twilio-signature': signatureOf(url, fields) });
};
const stateOf = async (id = deliveryId) => (await stores.stored()).find((each) => each.deliveryId === id)?.state;
/** The log entries about receipts. */
const logged = async () => (await stores.decisions()).filter(({ stage }) => stage === 'deliver');

describe('POST /callbacks/{provider}', () => {
  it('applies a status of Twilio to a message once, and logs it', async () => {
    clock.advance(3_000);
    expect(await twilio('sent')).toMatchObject({ status: 200 });
    expect(await stateOf()).toBe('sent');
    expect(await twilio('delivered')).toMatchObject({ status: 200, body: { result: 'Taken' } });
    expect(await twilio('delivered')).toMatchObject({ status: 200 });
    expect(await twilio('undelivered')).toMatchObject({ status: 200 });
    expect([await stateOf(), outcomes, seconds]).toEqual([
      'delivered',
      ['ignored', 'delivered', 'unchanged', 'unchanged'],
      [3],
    ]);
    expect(await logged()).toMatchObject([
      {
        decisionId: `deliver:${deliveryId}:1:delivered`,
        alertId: 'a1',
        findings: [
          {
            subject: 'delivery',
            outcome: 'delivered',
            text: 'The text message to ada@example.com was delivered: its receipt says delivered.',
            facts: { userId: 'ada', username: 'ada@example.com', method: 'sms', to: '1-5551234567' },
          },
        ],
      },
    ]);
  });

  it('sends a failed message to the next provider, and logs it', async () => {
    await twilio('undelivered');
    expect([await stateOf(), await stateOf(`${deliveryId}@2`), outcomes]).toEqual(['failed', 'waiting', ['failed']]);
    expect((await logged())[0]?.findings).toMatchObject([
      {
        outcome: 'failed',
        text: 'The text message to ada@example.com failed by [twilio] and goes to another provider: its receipt says undelivered.',
        facts: { successorId: `${deliveryId}@2`, provider: 'twilio' },
      },
    ]);
  });

  it('accepts the report of a gateway at its URL', async () => {
    expect(await call(urlOf('http'), { status: 'DELIVRD' })).toMatchObject({ status: 200 });
    expect([await stateOf(), outcomes]).toEqual(['delivered', ['delivered']]);
  });

  it('ends no newer attempt by the receipt of an older one, and says so once', async () => {
    await add();
    await begin();
    await stores.expire();
    await begin();
    await twilio('delivered');
    expect([await stateOf(), outcomes]).toEqual(['sending', ['overtaken']]);
    expect((await logged())[0]?.findings[0]?.text).toBe(
      'Attempt 1 of the text message to ada@example.com was delivered after all by [twilio]: its receipt says delivered. What counts is attempt 2.',
    );
    await twilio('delivered', urlOf('twilio', 2));
    expect(await stateOf()).toBe('delivered');
  });

  it('logs nothing about a message that was removed', async () => {
    await stores.settlePages([batch('pages.v1', [erase()], 1)], expandNothing, NO_SLOTS);
    expect(await twilio('delivered')).toMatchObject({ status: 200 });
    expect(outcomes).toEqual(['unknown']);
  });

  it('refuses a call that Twilio has not signed, and a URL that Tocsin did not sign, and changes nothing', async () => {
    const fields = { MessageStatus: 'delivered' };
    const signed = { 'x-twilio-signature': signatureOf(urlOf('twilio'), { MessageStatus: 'failed' }) };
    expect(await call(urlOf('twilio'), fields, signed)).toMatchObject({ status: 403, body: { code: 40_301 } });
    expect(await call(urlOf('twilio'), fields)).toMatchObject({ status: 403 });
    expect(await twilio('delivered', links.urlWith('twilio', 'a.1.b'))).toMatchObject({ status: 403 });
    const others = urlOf('twilio').replace('/twilio?', '/http?');
    expect(await call(others, { status: 'delivered' })).toMatchObject({ status: 403 });
    expect([await stateOf(), new Set(outcomes)]).toEqual(['sent', new Set(['refused'])]);
  });

  it('refuses a URL that has expired, a provider that is not set up, and a call without a token', async () => {
    const url = urlOf('twilio');
    clock.advance(3 * 86_400_000);
    expect(await twilio('delivered', url)).toMatchObject({ status: 404, body: { message: 'The URL has expired.' } });
    expect(outcomes).toEqual(['expired']);
    expect(await call(urlOf('pigeon'), {})).toMatchObject({ status: 404 });
    expect(await call(urlOf('twilio'), {}, {}, 'none')).toMatchObject({ status: 404 });
    for (const provider of ['twilio', 'http'])
      expect(await call(`https://x/callbacks/${provider}`, {})).toMatchObject({ status: 403 });
    expect(await stateOf()).toBe('sent');
  });

  it('reads no form, which may be long, where the URL is not signed by Tocsin or has expired', async () => {
    const form = `status=${'x'.repeat(65_536)}`;
    const url = urlOf('twilio');
    expect(await call(links.urlWith('twilio', 'a.1.b'), form)).toMatchObject({ status: 403 });
    expect(await call(links.urlWith('http', 'a.1.b'), form)).toMatchObject({ status: 403 });
    expect(await call(urlOf('pigeon'), form)).toMatchObject({ status: 404 });
    clock.advance(3 * 86_400_000);
    expect(await call(url, form)).toMatchObject({ status: 404 });
  });

  it('accepts only forms, of a limited length', async () => {
    const json = { 'content-type': 'application/json' };
    expect(await call(urlOf('http'), '{"status":"delivered"}', json)).toMatchObject({ status: 415 });
    expect(await call(urlOf('http'), `status=${'x'.repeat(65_536)}`)).toMatchObject({ status: 413 });
    expect(await call(urlOf('http'), 'status=%zz&%00&&==')).toMatchObject({ status: 200 });
    expect([await stateOf(), outcomes]).toEqual(['sent', ['ignored']]);
  });
});
