import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/core';
import { CERTIFICATE_URL, CONFIRMATION, CONFIRMATION_PATH, SnsDouble } from '../testing/sns-double.ts';
import { subscriptionOf } from './reading/envelope.ts';
import { type Obstacle, Subscriptions, type SubscriptionsOptions } from './subscription-operations.ts';

const CERTIFICATE_PATH = new URL(CERTIFICATE_URL).pathname;

let amazon: SnsDouble;
let other: SnsDouble;
let topics: Map<string, string>;
const clock = new ManualClock(new Date('2026-01-01'));

beforeAll(async () => {
  [amazon, other] = await Promise.all([SnsDouble.start(), SnsDouble.start()]);
});
beforeEach(() => {
  amazon.reset();
  topics = new Map();
});
afterAll(() => {
  amazon.stop();
  other.stop();
});

const subscriptions = (changes: Partial<SubscriptionsOptions> = {}) =>
  new Subscriptions({
    outgoing: amazon,
    clock,
    claimTopic: (id, topic) => {
      if (!topics.has(id)) topics.set(id, topic);
      return Promise.resolve(topics.get(id));
    },
    log: { info: () => undefined, warn: () => undefined },
    ...changes,
  });

function confirmed(payload: object, tried = subscriptions(), id = 'integration-1'): Promise<Obstacle | undefined> {
  const subscription = subscriptionOf({ payload });
  if (subscription === undefined) throw new Error('It asks for no subscription.');
  return tried.confirm(subscription, id);
}

const withLink = (reason: RegExp) => ({ reason: expect.stringMatching(reason), showsLink: true });
const withoutLink = (reason: RegExp) => ({ reason: expect.stringMatching(reason), showsLink: false });

describe('a subscription of Amazon SNS (Q6)', () => {
  it.each(['1', '2'] as const)('that is signed by version %s is confirmed at Amazon', async (version) => {
    expect(await confirmed(amazon.signed({}, version))).toBeUndefined();
    expect(amazon.asked).toEqual([CERTIFICATE_PATH, CONFIRMATION_PATH]);
  });

  it('is confirmed again where its message comes again, at once or after a crash', async () => {
    const one = subscriptions();
    const twice = [confirmed(amazon.signed(), one), confirmed(amazon.signed(), one)];
    expect(await Promise.all(twice)).toEqual([undefined, undefined]);
    expect(await confirmed(amazon.signed(), subscriptions())).toBeUndefined();
    expect(amazon.asked.filter((path) => path === CONFIRMATION_PATH)).toHaveLength(3);
  });

  it('of another topic than the first is left to a person, of another integration it is not', async () => {
    await confirmed(amazon.signed());
    const second = amazon.signed({ TopicArn: `${CONFIRMATION.TopicArn}-2` });
    expect(await confirmed(second)).toEqual(withLink(/first topic/));
    expect(amazon.asked).toEqual([CERTIFICATE_PATH, CONFIRMATION_PATH, CERTIFICATE_PATH]);
    expect(await confirmed(second, subscriptions(), 'integration-2')).toBeUndefined();
  });

  it.each([
    ['that was changed', { Token: 'other' }],
    ['of another link of Amazon', { SubscribeURL: `${CONFIRMATION.SubscribeURL}&x` }],
    ['without a signature', { Signature: '' }],
    ['of the other version', { SignatureVersion: '1' }],
    ['of an unknown version', { SignatureVersion: '3' }],
    ['of a certificate elsewhere', { SigningCertURL: 'https://example.com/SimpleNotificationService-0a1b.pem' }],
    ['of a certificate without encryption', { SigningCertURL: CERTIFICATE_URL.replace('https', 'http') }],
    ['of a bucket with the name sns', { SigningCertURL: CERTIFICATE_URL.replace('eu-central-1', 's3') }],
    ['of a bucket of a region', { SigningCertURL: CERTIFICATE_URL.replace('eu-central-1', 's3-eu-west-1') }],
    ['of another file of Amazon', { SigningCertURL: CERTIFICATE_URL.replace('/Simple', '/?Action=Echo&x=/Simple') }],
    [
      'of a host that begins as that of Amazon',
      { SigningCertURL: CERTIFICATE_URL.replace('.com/', '.com.a.example/') },
    ],
  ])('%s is not confirmed, and its link is not shown', async (_, changes) => {
    expect(await confirmed({ ...amazon.signed(), ...changes })).toEqual(withoutLink(/did not sign/));
    expect(amazon.asked.filter((path) => path !== CERTIFICATE_PATH)).toEqual([]);
    expect(topics.size).toBe(0);
  });

  it('that another key signed is not confirmed, and its link is not shown', async () => {
    expect(await confirmed(other.signed())).toEqual(withoutLink(/did not sign/));
  });

  it('with a link elsewhere is not confirmed, and nothing is called', async () => {
    const message = amazon.signed({ SubscribeURL: 'http://169.254.169.254/latest' });
    expect(await confirmed(message)).toEqual(withoutLink(/left out/));
    expect(amazon.asked).toEqual([]);
  });

  it.each([
    ['has no certificate', { certificate: { status: 404, body: '' } }, /certificate .* status 404/],
    [
      'has a certificate that is none',
      { certificate: { status: 200, body: 'none' } },
      /certificate .* could not be read/,
    ],
    ['refuses the confirmation', { confirmation: { status: 403, body: '' } }, /status 403/],
    ['leads elsewhere', { confirmation: { status: 302, body: '' } }, /status 302/],
  ])('is left to a person where Amazon %s', async (_, answer, reason) => {
    amazon.answer(answer);
    expect(await confirmed(amazon.signed())).toEqual(withLink(reason));
  });

  it('is left to a person where the certificate has no end within the bounds, or is over', async () => {
    amazon.answer({ certificate: { status: 200, body: amazon.certificate + ' '.repeat(20_000) } });
    expect(await confirmed(amazon.signed())).toEqual(withLink(/could not be read/));
    amazon.answer({ certificate: { status: 200, body: amazon.certificate } });
    const later = { clock: new ManualClock(new Date('2040-01-01')) };
    expect(await confirmed(amazon.signed(), subscriptions(later))).toEqual(withLink(/not valid now/));
  });

  it('is left to a person where Amazon is unavailable, or the topic cannot be stored', async () => {
    const unreached = { outgoing: { call: () => Promise.resolve({ kind: 'unreached', reason: 'no way' } as const) } };
    expect(await confirmed(amazon.signed(), subscriptions(unreached))).toEqual(withLink(/no way/));
    const broken = { claimTopic: () => Promise.reject(new Error('no database')) };
    expect(await confirmed(amazon.signed(), subscriptions(broken))).toEqual(withLink(/could not store/));
    const unknown = { claimTopic: () => Promise.resolve(undefined) };
    expect(await confirmed(amazon.signed(), subscriptions(unknown))).toEqual(withLink(/first topic/));
    expect(amazon.asked).not.toContain(CONFIRMATION_PATH);
  });

  it('is left to a person where two of its integration are under way', async () => {
    const one = subscriptions();
    const three = await Promise.all([1, 2, 3].map(() => confirmed(amazon.signed(), one)));
    expect(three.filter((obstacle) => obstacle !== undefined)).toEqual([withLink(/too many/)]);
    expect(await confirmed(amazon.signed(), one)).toBeUndefined();
  });
});
