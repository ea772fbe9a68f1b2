import { describe, expect, it } from '@jest/globals';
import { Config } from './config.ts';

const read = (change: Record<string, string>) =>
  Config.safeParse({
    KAFKA_BROKERS: 'one:9092',
    MONGODB_URI: 'mongodb://127.0.0.1:27017/?replicaSet=rs0',
    INTERNAL_SIGNING_KEY: 'x'.repeat(32),
    SMTP_URL: 'smtp://mail.example.com',
    ...change,
  });
const login = { SMTP_USERNAME: 'tocsin', SMTP_PASSWORD: 'secret' };

describe('the settings of a mail server with a login', () => {
  it('are refused where they say that it goes over a network in the clear', () => {
    const { error } = read({ ...login, SMTP_TLS: 'off' });
    expect(error?.issues).toMatchObject([{ path: ['SMTP_TLS'], message: expect.stringContaining('in the clear') }]);
  });

  it.each<Record<string, string>>([
    { ...login },
    { ...login, SMTP_TLS: 'required' },
    { ...login, SMTP_TLS: 'off', SMTP_URL: 'smtps://mail.example.com' },
    { ...login, SMTP_TLS: 'off', SMTP_URL: 'smtp://127.0.0.1:2525' },
    { ...login, SMTP_TLS: 'off', SMTP_URL: 'smtp://[::1]:2525' },
    { SMTP_TLS: 'off' },
  ])('are taken as %j', (change) => {
    expect(read(change).success).toBe(true);
  });
});

const PHONE = { SMS_PROVIDERS: 'twilio, http', VOICE_PROVIDERS: 'log' };
const TWILIO = { TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 'secret', TWILIO_FROM: '+15550100' };
const GATEWAY = { SMS_HTTP_URL: 'https://sms.example.com/?to={{to}}', SMS_HTTP_METHOD: 'POST' };
const problemsOf = (change: Record<string, string>) =>
  (read(change).error?.issues ?? []).map(({ message, path }) => `${path.join('.')}: ${message}`);

describe('the settings of providers', () => {
  it('may all be left out: then there is mail alone', () => {
    expect(read({}).data).toMatchObject({ smsProviders: [], voiceProviders: [], pushUrl: undefined });
  });

  it('name providers in their order', () => {
    expect(read({ ...PHONE, ...TWILIO, ...GATEWAY }).data).toMatchObject({
      smsProviders: ['twilio', 'http'],
      voiceProviders: ['log'],
    });
  });

  it('say by their names what is lacking', () => {
    expect(problemsOf(PHONE)).toEqual([
      expect.stringContaining('SMS_HTTP_URL: '),
      'TWILIO_ACCOUNT_SID: is needed for the provider twilio',
      'TWILIO_AUTH_TOKEN: is needed for the provider twilio',
      'TWILIO_FROM: is needed for the provider twilio',
    ]);
    expect(problemsOf({ ...PHONE, ...TWILIO, ...GATEWAY, SMS_HTTP_SUCCESS_STATUS: 'fine' })).toEqual([
      expect.stringContaining('SMS_HTTP_SUCCESS_STATUS: '),
    ]);
  });

  it('name a URL for callbacks where a gateway is to be told one', () => {
    const asking = { SMS_PROVIDERS: 'http', SMS_HTTP_URL: 'https://sms.example.com/?dlr={{callbackUrl}}' };
    expect(problemsOf(asking)).toEqual(['CALLBACK_URL: is needed by {{callbackUrl}} of SMS_HTTP_…']);
    expect(read({ ...asking, CALLBACK_URL: 'https://tocsin.example.com/' }).data).toMatchObject({
      callbackUrl: 'https://tocsin.example.com',
    });
    expect(problemsOf({ CALLBACK_URL: 'https://tocsin.example.com/?a=b' })).toEqual([
      'CALLBACK_URL: should have neither a query nor a fragment',
    ]);
  });

  it.each<[Record<string, string>, string]>([
    [{ SMS_PROVIDERS: 'pigeon' }, 'SMS_PROVIDERS: should be names out of twilio, http, log, separated by commas'],
    [{ VOICE_PROVIDERS: 'log,log' }, 'VOICE_PROVIDERS: should name each provider once'],
    [{ PUSH_URL: 'ftp://push.example.com' }, 'PUSH_URL: should be a URL such as https://push.example.com'],
    [
      { WEBHOOK_ALLOWED_RANGES: 'everything' },
      'WEBHOOK_ALLOWED_RANGES: everything should be an address, a range such as 10.1.0.0/16, or the word private',
    ],
    [
      { OUTGOING_ALLOWED_RANGES: 'private, 10.0.0.0/99' },
      'OUTGOING_ALLOWED_RANGES: 10.0.0.0/99 should be an address, a range such as 10.1.0.0/16, or the word private',
    ],
  ])('are refused as %j', (change, problem) => {
    expect(problemsOf(change)).toEqual([problem]);
  });
});
