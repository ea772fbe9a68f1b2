import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OutgoingCaller } from '@tocsin/http';
import { startMessageGateway, type ProviderDouble } from '@tocsin/testkit';
import { decisionOf } from '../../messages/decisions.ts';
import { beginAttempt, applyResult } from '../../messages/attempts.ts';
import { UNTRIED, type UserDelivery } from '../../messages/delivery.ts';
import type { Channel } from '../channel.ts';
import { openCode, verification } from '../../testing/notice-samples.ts';
import { deliveryOf, page } from '../../testing/page-samples.ts';
import { GatewayTemplates } from '../gateway/settings.ts';
import { HttpGateway } from '../gateway/http-gateway.ts';
import { ProviderChannel } from './provider-channel.ts';
import { writeText } from '../sms/message.ts';
import { redactedResult } from './redacted-result.ts';
import { writeCall } from '../voice/message.ts';

const TO = '1-5551234567';
/** None of its digits is of a status here. */
const CODE = '314679';
const SETTINGS = { accountName: 'Ops', publicUrl: undefined, openCode };
const METHODS = { sms: writeText, voice: writeCall } as const;
const NOW = new Date('2026-01-01T00:00:00Z');

let double: ProviderDouble<unknown>;
/** Why providers were skipped. */
let skippedReasons: string[];

beforeEach(async () => {
  double = await startMessageGateway();
  skippedReasons = [];
});
afterEach(() => double.stop());

/** A channel whose gateway has taken nothing for a while, so that it is skipped once it takes no message again. */
function channelOf(method: keyof typeof METHODS, settings: Readonly<Record<string, string>> = {}): Channel {
  let nowMs = 0;
  const gateway = GatewayTemplates.parse({
    url: double.url,
    body: '{"to":"{{to}}","digits":"{{digits}}","text":"{{text}}"}',
    ...settings,
  });
  return new ProviderChannel({
    write: (outgoing) => METHODS[method](outgoing, SETTINGS),
    providers: [new HttpGateway(gateway, new OutgoingCaller({ allowedRanges: ['127.0.0.1'] }))],
    onSkipped: (_, reason) => skippedReasons.push(reason),
    onBack: () => undefined,
    now: () => (nowMs += 30_000),
  });
}

/** All that is logged of three attempts, instants left out; each is answered with the message itself, behind some words. */
async function loggedOf(delivery: UserDelivery, channel: Channel, status: number, before = ''): Promise<string> {
  const sample = channelSample(delivery);
  double.always({
    answer: { status, body: `${before}{"to":"+15551234567","digits":"15551234567","text":"${sample}"}` },
  });
  const texts: string[] = [];
  for (let time = 0; time < 3; time += 1) {
    const { result } = await channel.send(delivery);
    const change = applyResult(delivery, result, NOW, 0);
    texts.push(JSON.stringify(result), ...decisionOf(change, NOW).findings.map(({ text }) => text));
  }
  return [...texts, ...skippedReasons].join('\n').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '');
}

const channelSample = (delivery: UserDelivery): string =>
  METHODS[delivery.method as keyof typeof METHODS](delivery, SETTINGS).text;

const coded = (method: keyof typeof METHODS): UserDelivery => {
  const notice = verification({ method, to: TO, code: CODE });
  const message = { deliveryId: 'notice:n', username: 'ada', method, to: TO, dueAt: NOW };
  return beginAttempt({ ...UNTRIED, ...message, notice });
};

describe.each(['sms', 'voice'] as const)('a code that goes in %s to a gateway that repeats it', (method) => {
  it.each([
    [200, {}, 'it was taken (it answered 200)', 0],
    [200, { successBody: 'OK' }, 'it was not taken for now (it answered 200)', 1],
    [500, {}, 'it was not taken for now (it answered 500)', 1],
    [400, {}, 'it was refused for good (it answered 400)', 0],
  ])('stands nowhere, not a digit of it: %i %j', async (status, settings, reason, passes) => {
    const delivery = coded(method);
    expect(channelSample(delivery).replaceAll(', ', '')).toContain(CODE);
    for (const before of ['', 'x'.repeat(215 - channelSample(delivery).length)]) {
      skippedReasons = [];
      const logged = await loggedOf(delivery, channelOf(method, settings), status, before);
      expect(logged).toContain(reason);
      expect(logged.replaceAll(/it answered \d{3}/g, '')).not.toMatch(/\d/);
      expect(skippedReasons).toHaveLength(passes);
    }
  });

  it('has no text of a provider in any other field', () => {
    for (const kind of ['temporary', 'unknown', 'permanent'] as const)
      expect(JSON.stringify(redactedResult(coded(method), { kind, reason: `550 ${CODE}` }))).not.toMatch(/\d/);
  });
});

describe.each(['sms', 'voice'] as const)('a number to which a page goes by %s', (method) => {
  const delivery = beginAttempt(deliveryOf(page(), { method, to: TO }));

  it.each([200, 400, 500])('is logged in no form, although the gateway repeats it: %i', async (status) => {
    for (let before = 190; before < 250; before += 10) {
      const logged = await loggedOf(delivery, channelOf(method), status, 'x'.repeat(before));
      expect(logged).toContain(`it answered ${status}: xxx`);
      expect(logged.replaceAll(/\D/g, '')).not.toContain('5551');
    }
    expect(await loggedOf(delivery, channelOf(method), status)).toContain('{"to":"[address]","digits":"[address]"');
  });
});

describe('the text of a provider in a result', () => {
  const saidOf = (to: string, reason: string): unknown =>
    redactedResult(deliveryOf(page(), { to }), { kind: 'permanent', reason });

  it.each([
    [
      TO,
      "it answered 400: 21211 The 'To' number +15551234567 is not valid",
      "it answered 400: 21211 The 'To' number [address] is not valid",
    ],
    [TO, 'no 1-5551234567, +1 (555) 123-4567 or 05551234567', 'no [address], [address] or 0[address]'],
    ['1-5', 'it answered 500: +15', 'it answered 500: [address]'],
    ['Ada.L+x@example.com', '550 <ada.l+X@EXAMPLE.com>: unknown', '550 <[address]>: unknown'],
    ['ada@ü.example', '550 <ada@xn--tda.example>\r\n unknown', '550 <[address]> unknown'],
    ['', 'no such user', 'no such user'],
  ])('of a message to %j has no address: %s', (to, said, logged) => {
    expect(saidOf(to, said)).toEqual({ kind: 'permanent', reason: logged });
  });

  it('is short', () => {
    expect(saidOf(TO, 'x'.repeat(20_000))).toEqual({ kind: 'permanent', reason: `${'x'.repeat(250)}…` });
  });
});
