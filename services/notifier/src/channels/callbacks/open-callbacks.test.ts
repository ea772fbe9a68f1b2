import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/core';
import { OutgoingCaller } from '@tocsin/http';
import { Config } from '../../config.ts';
import { openCallbacks } from './open-callbacks.ts';
import { smsProviders } from '../phone/providers.ts';
import { AnswerableTexts } from '../sms/answerable-texts.ts';

const REPLIES = { SMS_HTTP_REPLY_TOKEN: 'agreed-with-the-gateway', SMS_HTTP_REPLY_FROM_FIELD: 'sender' };
const config = (change: Record<string, string> = {}) =>
  Config.parse({
    KAFKA_BROKERS: 'one:9092',
    MONGODB_URI: 'mongodb://127.0.0.1:27017/?replicaSet=rs0',
    INTERNAL_SIGNING_KEY: 'x'.repeat(32),
    SMTP_URL: 'smtp://mail.example.com',
    SMS_PROVIDERS: 'twilio,http',
    TWILIO_ACCOUNT_SID: 'AC1',
    TWILIO_AUTH_TOKEN: 'secret',
    TWILIO_FROM: '+15550100',
    SMS_HTTP_URL: 'https://sms.example.com/?to={{to}}',
    CALLBACK_URL: 'https://tocsin.example.com',
    ...REPLIES,
    ...change,
  });

const repliesBy = (name: string, change?: Record<string, string>) =>
  openCallbacks(config(change), new ManualClock(new Date('2026-01-01T00:00:00Z')))?.providers.get(name)?.replies;

/** Which providers carry text messages with codes. */
const withCodes = (change?: Record<string, string>) =>
  smsProviders({
    config: config(change),
    outgoing: new OutgoingCaller({ allowedRanges: [] }),
    log: () => undefined,
    keyUrls: undefined,
    replyCodes: { codes: { keep: () => Promise.resolve() }, onFailure: () => undefined },
  }).flatMap((provider) => (provider instanceof AnswerableTexts ? provider.name : []));

/** As long as one of Twilio. */
const SIGNATURE = `${'a'.repeat(27)}=`;

describe('the providers by which people reply', () => {
  it('are those whose messages have codes, each at its own URL', () => {
    expect(withCodes()).toEqual(['twilio', 'http']);
    expect(['', 'a-guess', undefined].map((signature) => repliesBy('twilio')?.isAt(undefined, signature))).toEqual([
      false,
      false,
      false,
    ]);
    const tokens = [undefined, REPLIES.SMS_HTTP_REPLY_TOKEN, 'another'];
    expect(tokens.map((token) => repliesBy('twilio')?.isAt(token, SIGNATURE))).toEqual([true, false, false]);
    expect(tokens.map((token) => repliesBy('http')?.isAt(token, undefined))).toEqual([false, true, false]);
    const fields = [
      ['sender', '+1555'],
      ['text', 'ack 7'],
    ] as const;
    expect(repliesBy('http')?.replyIn(fields)).toEqual({ from: '+1555', text: 'ack 7' });
  });

  it('exclude a provider that sends with a name, and one for calls only', () => {
    expect(withCodes({ TWILIO_FROM: 'Tocsin' })).toEqual(['http']);
    expect(repliesBy('twilio', { TWILIO_FROM: 'Tocsin' })).toBeUndefined();
    const calls = { SMS_PROVIDERS: 'log', VOICE_PROVIDERS: 'http', VOICE_HTTP_URL: 'https://calls.example.com/' };
    expect(withCodes(calls)).toEqual([]);
    expect(repliesBy('http', calls)).toBeUndefined();
  });
});
