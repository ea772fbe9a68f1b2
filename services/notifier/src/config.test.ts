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
  it('are refused where messages would cross a network without TLS', () => {
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

describe('the sender of mails', () => {
  it.each(['Tocsin', 'Tocsin alerts', 'Tocsin <tocsin>', 'tocsin@', 'Tocsin <tocsin@example.com> x'])(
    'is not %s',
    (MAIL_FROM) => {
      expect(read({ MAIL_FROM }).error?.issues).toMatchObject([{ path: ['MAIL_FROM'] }]);
    },
  );

  it.each([
    ...['tocsin@localhost', 'Tocsin <tocsin@example.com>', '"Ops, <nights>" <ops@example.com>', '<ops@é.example>'],
    ...['Tocsin tocsin@example.com', 'tocsin@example.com (Tocsin)', 'Tocsin < tocsin@example.com >'],
    ' Tocsin <tocsin@example.com>\n',
  ])('is %j', (MAIL_FROM) => {
    expect(read({ MAIL_FROM }).success).toBe(true);
  });
});

const PHONE = { SMS_PROVIDERS: 'twilio, http', VOICE_PROVIDERS: 'log' };
const TWILIO = { TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 'secret', TWILIO_FROM: '+15550100' };
const GATEWAY = { SMS_HTTP_URL: 'https://sms.example.com/?to={{to}}', SMS_HTTP_METHOD: 'POST' };
const problemsOf = (change: Record<string, string>) =>
  (read(change).error?.issues ?? []).map(({ message, path }) => `${path.join('.')}: ${message}`);

describe('the settings of providers', () => {
  it('may all be left out: then there is only mail', () => {
    expect(read({}).data).toMatchObject({ smsProviders: [], voiceProviders: [], pushUrl: undefined });
  });

  it('name providers in their order', () => {
    expect(read({ ...PHONE, ...TWILIO, ...GATEWAY }).data).toMatchObject({
      smsProviders: ['twilio', 'http'],
      voiceProviders: ['log'],
    });
  });

  it('are named in the error where they are missing', () => {
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

  it('name a URL for callbacks where the template of a gateway uses one', () => {
    const asking = { SMS_PROVIDERS: 'http', SMS_HTTP_URL: 'https://sms.example.com/?dlr={{callbackUrl}}' };
    expect(problemsOf(asking)).toEqual(['CALLBACK_URL: is needed by {{callbackUrl}} of SMS_HTTP_…']);
    expect(read({ ...asking, CALLBACK_URL: 'https://tocsin.example.com/' }).data).toMatchObject({
      callbackUrl: 'https://tocsin.example.com',
    });
    expect(problemsOf({ CALLBACK_URL: 'https://tocsin.example.com/?a=b' })).toEqual([
      'CALLBACK_URL: should have neither a query nor a fragment',
    ]);
  });

  it('let users reply by a gateway with an agreed token, and not with a short one', () => {
    const replying = { SMS_HTTP_REPLY_TOKEN: 'agreed-with-the-gateway', CALLBACK_URL: 'https://tocsin.example.com' };
    expect(read(replying).data).toMatchObject({
      smsHttpReplyToken: 'agreed-with-the-gateway',
      smsHttpReplyFromField: 'from',
      smsHttpReplyTextField: 'text',
    });
    expect(problemsOf({ SMS_HTTP_REPLY_TOKEN: replying.SMS_HTTP_REPLY_TOKEN })).toEqual([
      'CALLBACK_URL: is needed by SMS_HTTP_REPLY_TOKEN',
    ]);
    expect(problemsOf({ ...replying, SMS_HTTP_REPLY_TOKEN: 'short' })).toEqual([
      'SMS_HTTP_REPLY_TOKEN: should be 16 to 200 letters, digits, `_` and `-`',
    ]);
  });

  it('set rates of providers, which allow at least one message at once (U8)', () => {
    expect(read({ PROVIDER_RATES: 'sms/twilio=10, voice/twilio=0.5' }).data?.providerRates).toEqual(
      new Map([
        ['sms/twilio', { perSecond: 10, burst: 10 }],
        ['voice/twilio', { perSecond: 0.5, burst: 1 }],
      ]),
    );
  });

  it('bundle pages by limits for each method, those that are named beside the usual ones (U8)', () => {
    const limits = (written?: string) => {
      const found = read(written === undefined ? {} : { BUNDLE_LIMITS: written }).data?.bundleLimits ?? [];
      return Object.fromEntries([...found].map(([method, { most }]) => [method, most]));
    };
    expect(limits()).toEqual({ email: 20, mobile: 20, sms: 3, voice: 3 });
    expect(limits('sms=5, email=off')).toEqual({ mobile: 20, sms: 5, voice: 3 });
    expect(limits('off')).toEqual({});
  });

  it.each<[Record<string, string>, string]>([
    [{ SMS_PROVIDERS: 'pigeon' }, 'SMS_PROVIDERS: should be names out of twilio, http, log, separated by commas'],
    [{ VOICE_PROVIDERS: 'log,log' }, 'VOICE_PROVIDERS: should name each provider once'],
    [
      { BUNDLE_LIMITS: 'sms=3, pigeon=4' },
      'BUNDLE_LIMITS: [pigeon=4] should be a method (email, sms, voice, mobile), = and 1 to 100, or off',
    ],
    [
      { BUNDLE_LIMITS: 'sms=0' },
      'BUNDLE_LIMITS: [sms=0] should be a method (email, sms, voice, mobile), = and 1 to 100, or off',
    ],
    [
      { PROVIDER_RATES: 'sms/twilio=0' },
      'PROVIDER_RATES: [sms/twilio=0] should be one of email/smtp, mobile/ntfy, mobile/gotify, mobile/pushover, mobile/telegram, mobile/slack, mobile/mattermost, mobile/web-push, sms/twilio, sms/http, sms/log, voice/twilio, voice/http, voice/log, = and 0.1 to 10000 messages a second',
    ],
    [
      { PROVIDER_RATES: 'fax/smtp=1' },
      'PROVIDER_RATES: [fax/smtp=1] should be one of email/smtp, mobile/ntfy, mobile/gotify, mobile/pushover, mobile/telegram, mobile/slack, mobile/mattermost, mobile/web-push, sms/twilio, sms/http, sms/log, voice/twilio, voice/http, voice/log, = and 0.1 to 10000 messages a second',
    ],
    [
      { TELEGRAM_BOT_TOKEN: 'a token/of another form' },
      'TELEGRAM_BOT_TOKEN: should be the token of a bot as BotFather writes it',
    ],
    [
      { PUSHOVER_URL: 'https://api.pushover.net' },
      'PUSHOVER_TOKEN: is needed with PUSHOVER_URL, and has no use without it',
    ],
    [{ SLACK_URL: 'https://slack.com/api' }, 'SLACK_BOT_TOKEN: is needed with SLACK_URL, and has no use without it'],
    [
      { SLACK_BOT_TOKEN: 'xoxb-1234567890-abc' },
      'SLACK_BOT_TOKEN: is needed with SLACK_URL, and has no use without it',
    ],
    [
      { SLACK_URL: 'https://slack.com/api', SLACK_BOT_TOKEN: 'another-token-of-slack' },
      'SLACK_BOT_TOKEN: should be the token of a bot of Slack, which begins with xoxb-',
    ],
    [
      { MATTERMOST_URL: 'https://chat.example.com' },
      'MATTERMOST_BOT_TOKEN: is needed with MATTERMOST_URL, and has no use without it',
    ],
    [
      { MATTERMOST_BOT_TOKEN: 'a'.repeat(26) },
      'MATTERMOST_BOT_TOKEN: is needed with MATTERMOST_URL, and has no use without it',
    ],
    [{ PUSH_URL: 'ftp://push.example.com' }, 'PUSH_URL: should be a URL such as https://push.example.com'],
    [
      { WEBHOOK_ALLOWED_RANGES: 'everything' },
      'WEBHOOK_ALLOWED_RANGES: everything should be an address, a range such as 10.1.0.0/16, or the word private',
    ],
    [
      { WEB_PUSH_ALLOWED_RANGES: '10.0.0' },
      'WEB_PUSH_ALLOWED_RANGES: 10.0.0 should be an address, a range such as 10.1.0.0/16, or the word private',
    ],
    [
      { OUTGOING_ALLOWED_RANGES: 'private, 10.0.0.0/99' },
      'OUTGOING_ALLOWED_RANGES: 10.0.0.0/99 should be an address, a range such as 10.1.0.0/16, or the word private',
    ],
  ])('are refused as %j', (change, problem) => {
    expect(problemsOf(change)).toEqual([problem]);
  });
});
