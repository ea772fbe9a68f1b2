import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { OutgoingCaller } from '@tocsin/http';
import {
  eventually,
  startMessageGateway,
  MATTERMOST_BOT,
  SLACK_APP,
  startGotify,
  startMattermost,
  startNtfy,
  startPushover,
  startPushService,
  startSlack,
  startTelegram,
  TELEGRAM_BOT,
  type TelegramDouble,
  type PushService,
  startTwilio,
  TWILIO_ACCOUNT,
  type Behaviour,
  type ProviderDouble,
  type SeenRequest,
} from '@tocsin/testkit';
import type { SendResult } from '../../messages/attempts.ts';
import { GatewayTemplates } from '../gateway/settings.ts';
import { HttpGateway } from '../gateway/http-gateway.ts';
import { Gotify } from '../push/gotify.ts';
import { MattermostPush } from '../push/mattermost.ts';
import { Ntfy } from '../push/ntfy.ts';
import { Pushover } from '../push/pushover.ts';
import { SlackPush } from '../push/slack.ts';
import { TelegramPush } from '../push/telegram.ts';
import { vapidKeys } from '../push/vapid.ts';
import { WebPush } from '../push/web-push.ts';
import { TwilioSms, TwilioVoice } from '../twilio/twilio.ts';

const ATTEMPT = { deliveryId: 'd1', attempt: 1 };
const PHONED = { to: '1-5551234567', text: 'Disk full' };
const PUSHED = { topic: 'a-topic', title: 'P1', text: 'Disk full', priority: 5, sequence: 's1' } as const;
const TWILIO = { accountSid: TWILIO_ACCOUNT.sid, authToken: TWILIO_ACCOUNT.token, from: '+15550001111' };
const VAPID = vapidKeys({
  vapidPrivateKey: Buffer.alloc(32, 7).toString('base64url'),
  vapidSubject: undefined,
  publicUrl: 'https://tocsin.example.com',
  mailFrom: 'Tocsin <tocsin@example.com>',
});
const ENDPOINT = '/push/the-endpoint-of-a-browser';
const KEY = 'a-key-of-the-gateway';
const TOKEN = 'a-token-of-ntfy';
const GOTIFY_TOKEN = 'AbCdEf-token.gotify';
const PUSHOVER = { token: 'a'.repeat(30), user: 'u'.repeat(30) };

const SECRETS = [
  ...[TWILIO_ACCOUNT.token, KEY, TOKEN, GOTIFY_TOKEN, PUSHOVER.token, TELEGRAM_BOT.token, ENDPOINT],
  ...[SLACK_APP.token, MATTERMOST_BOT.token],
];

/** The secret of a request: in a header, or in its body. */
function secretIn(request: SeenRequest | undefined): string {
  const { authorization, 'x-gotify-key': key } = request?.headers ?? {};
  const [, inPath] = /^\/bot([^/]+)\//.exec(request?.path ?? '') ?? [];
  return authorization?.replace(/^\w+ /, '') ?? inPath ?? (typeof key === 'string' ? key : PUSHOVER.token);
}

type Sender = () => Promise<SendResult>;
type Adapter = (url: string, outgoing: OutgoingCaller, double: ProviderDouble<unknown>) => Sender;

const gateway = (url: string) =>
  GatewayTemplates.parse({
    url: `${url}/send?to={{to}}`,
    headers: JSON.stringify({ authorization: `Bearer ${KEY}` }),
    body: '{"text":"{{text}}"}',
    successBody: 'OK \\d+',
  });

const ADAPTERS: readonly (readonly [string, () => Promise<ProviderDouble<unknown>>, Adapter])[] = [
  [
    'TwilioSms',
    startTwilio,
    (url, outgoing) => () => new TwilioSms({ ...TWILIO, url }, outgoing).send(PHONED, ATTEMPT),
  ],
  [
    'TwilioVoice',
    startTwilio,
    (url, outgoing) => () => new TwilioVoice({ ...TWILIO, url }, outgoing).send(PHONED, ATTEMPT),
  ],
  [
    'HttpGateway',
    startMessageGateway,
    (url, outgoing) => () => new HttpGateway(gateway(url), outgoing).send(PHONED, ATTEMPT),
  ],
  [
    'Ntfy',
    () => startNtfy(TOKEN),
    (url, outgoing) => () =>
      new Ntfy({ url, token: TOKEN }, outgoing, { newest: () => Promise.resolve(undefined) }).send(PUSHED),
  ],
  [
    'Gotify',
    () => startGotify(GOTIFY_TOKEN),
    (url, outgoing) => () =>
      new Gotify(url, outgoing).send({ ...PUSHED, service: { name: 'gotify', key: GOTIFY_TOKEN } }),
  ],
  [
    'Pushover',
    () => startPushover(PUSHOVER.token, PUSHOVER.user),
    (url, outgoing) => () =>
      new Pushover({ url, token: PUSHOVER.token }, outgoing).send({
        ...PUSHED,
        service: { name: 'pushover', key: PUSHOVER.user },
      }),
  ],
  ['TelegramPush', startTelegram, pushToAccount],
  ['SlackPush', startSlack, pushToMember],
  [
    'MattermostPush',
    startMattermost,
    (url, outgoing) => () =>
      new MattermostPush({ url, token: MATTERMOST_BOT.token }, outgoing, {
        newest: () => Promise.resolve(undefined),
      }).send({ ...PUSHED, service: { name: 'mattermost', key: 'ada'.padEnd(26, '0') } }),
  ],
  ['WebPush', startPushService, pushToBrowser],
];

/** An account that has written to the bot is pushed to. */
function pushToAccount(url: string, outgoing: OutgoingCaller, double: ProviderDouble<unknown>): Sender {
  (double as TelegramDouble).says('7001', '/start');
  const bot = { url, token: TELEGRAM_BOT.token };
  const provider = new TelegramPush(bot, outgoing, { newest: () => Promise.resolve(undefined) });
  return () => provider.send({ ...PUSHED, service: { name: 'telegram', key: '7001' } });
}

/** A member of a workspace is pushed to. */
function pushToMember(url: string, outgoing: OutgoingCaller): Sender {
  const provider = new SlackPush({ url, token: SLACK_APP.token }, outgoing, {
    newest: () => Promise.resolve(undefined),
  });
  return () => provider.send({ ...PUSHED, service: { name: 'slack', key: 'U0ADA' } });
}

/** Calls of Mattermost before a message is posted: who the bot is, and the channel of the user. */
const PREPARING = new Set(['/api/v4/users/me', '/api/v4/channels/direct']);
const attempts = ({ requests }: ProviderDouble<unknown>): readonly SeenRequest[] =>
  requests.filter(({ path }) => !PREPARING.has(path));

/** Providers whose answer 429 is about one recipient. */
const LIMITS_RECIPIENTS: ReadonlySet<Adapter> = new Set([pushToAccount, pushToMember]);

/** A browser that has subscribed is pushed to. */
function pushToBrowser(url: string, outgoing: OutgoingCaller, double: ProviderDouble<unknown>): Sender {
  if (VAPID === undefined) throw new Error('there is a key');
  const { endpoint, keys } = (double as PushService).subscribe(VAPID.publicKey, ENDPOINT);
  expect(endpoint.startsWith(url)).toBe(true);
  const browser = { key: 'k', subscription: { endpoint, ...keys } };
  const provider = new WebPush(VAPID, outgoing);
  return () => provider.send({ ...PUSHED, browser });
}

describe.each(ADAPTERS)('%s', (_, start, adapter) => {
  let double: ProviderDouble<unknown>;
  let send: Sender;
  const sender = (): Sender =>
    adapter(double.url, new OutgoingCaller({ allowedRanges: ['127.0.0.1'], timeoutMs: 60_000 }), double);

  beforeEach(async () => {
    double = await start();
    send = sender();
  });
  afterEach(() => double.stop());

  it('sends a message, and resolves with the id of the provider', async () => {
    expect(await send()).toEqual({
      kind: 'accepted',
      response: expect.stringMatching(
        /^(?:SM|CA)0*1$|OK 1$|^push1$|^1$|^request1$|^it answered 201$|^D0ADA_[\d.]+$|^post\d{22}$/,
      ),
    });
    expect(double.taken).toHaveLength(1);
  });

  it.each<[string, Behaviour, SendResult['kind'], number]>([
    ['too many requests', { refuse: 429, headers: { 'retry-after': '7' } }, 'temporary', 0],
    ['trouble of its own', { refuse: 500, body: '<html>' }, 'temporary', 0],
    ['a refusal', { refuse: 400, body: '{"code":21610,"message":"opted\\nout","error":"no"}' }, 'permanent', 0],
    ['a login that it does not know', { refuse: 401 }, 'permanent', 0],
    ['a redirect', { refuse: 307, headers: { location: 'http://127.0.0.1:1/' } }, 'permanent', 0],
    ['a connection that it closes', { close: 'before' }, 'unknown', 0],
  ])('takes %s for what it is', async (_name, behaviour, kind, taken) => {
    double.next(behaviour);
    expect(await outcomeOf(send)).toEqual({ kind, taken, requests: 1 });
  });

  it.each([
    [429, '7', 7_000],
    [503, '86400', 3_600_000],
    [503, 'Thu, 01 Jan 2026 00:01:30 GMT', 90_000],
    [500, '7', undefined],
    [429, 'soon', undefined],
  ])('says after %s with `Retry-After: %s` when to try again, in an hour at most', async (status, after, waitMs) => {
    double.next({ refuse: status, headers: { 'retry-after': after, date: 'Thu, 01 Jan 2026 00:00:00 GMT' } });
    const result = await send();
    if (result.kind !== 'temporary') throw new Error('it is tried again');
    expect(result.retryAfterMs).toBe(waitMs);
    const isForOne = adapter === pushToBrowser || (LIMITS_RECIPIENTS.has(adapter) && status === 429);
    expect(result.isLimitOfRecipient).toBe(waitMs !== undefined && isForOne ? true : undefined);
    expect(result.reason.includes(' and asks to wait for ')).toBe(waitMs !== undefined);
  });

  it.each<[string, Behaviour, number]>([
    ['silence before it took the message', { hang: 'before' }, 0],
    ['silence after it took the message', { hang: 'after' }, 1],
    ['an answer that is late', { answerAfterMs: 1_000 }, 1],
  ])('knows nothing after %s', async (_name, behaviour, taken) => {
    const timeout = new AbortController();
    const timeouts = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
    double.next(behaviour);
    const outcome = outcomeOf(send);
    await eventually(() => {
      expect(attempts(double)).toHaveLength(1);
    });
    timeout.abort();
    expect(await outcome).toEqual({ kind: 'unknown', taken, requests: 1 });
    timeouts.mockRestore();
  });

  /** The result of one attempt, its reason on one line, and the requests to the provider. */
  async function outcomeOf(attempt: Sender): Promise<{ kind: SendResult['kind']; taken: number; requests: number }> {
    const result = await attempt();
    expect('reason' in result && result.reason).toMatch(/^[^\n]{1,300}$/);
    return { kind: result.kind, taken: double.taken.length, requests: attempts(double).length };
  }

  it('is not sure of a yes that is not in the words of the provider', async () => {
    double.next({ answer: { status: 200, body: '<html>Welcome</html>' } }, { answer: { status: 200, body: '[1]' } });
    expect(['unknown', 'temporary']).toContain((await send()).kind);
    expect(['unknown', 'temporary']).toContain((await send()).kind);
  });

  it('reports the message as accepted, or its outcome as unknown, where the answer is cut short', async () => {
    double.next({ close: 'half-way' });
    expect(['accepted', 'unknown']).toContain((await send()).kind);
    expect(double.taken).toHaveLength(1);
  });

  it('reads the beginning of an answer without an end', async () => {
    double.next({ answer: { status: 500, body: 'x'.repeat(5_000_000) } });
    expect(await send()).toEqual({ kind: 'temporary', reason: expect.stringMatching(/^.{1,17000}$/) });
  });

  it('may be called again when nothing was sent', async () => {
    await double.stop();
    expect(await send()).toEqual({ kind: 'temporary', reason: 'it could not be reached (ECONNREFUSED)' });
    double = await start();
  });

  it('calls nothing on a private network unless a setting allows it', async () => {
    // Any user names the push service of a browser, an operator the others: only an operator reads the address.
    const reason = adapter === pushToBrowser ? 'its address is not public' : '127.0.0.1 is a loopback address';
    expect(await adapter(double.url, new OutgoingCaller(), double)()).toEqual({
      kind: 'permanent',
      reason: `it may not be called: ${reason}`,
    });
    expect(double.requests).toEqual([]);
  });

  it('repeats no secret, although the provider does', async () => {
    for (const [status, secret] of SECRETS.flatMap((word) => [[400, word] as const, [500, word] as const])) {
      const words = `wrong key ${secret}`;
      const body = {
        code: 1,
        id: words,
        message: words,
        error: words,
        errors: [words],
        errorDescription: words,
        description: words,
      };
      double.next({ refuse: status, body: JSON.stringify(body) });
    }
    const results: SendResult[] = [];
    for (let sent = 0; sent < 2 * SECRETS.length; sent += 1) results.push(await send());
    const own = secretIn(double.requests[0]);
    expect(own.length).toBeGreaterThan(10);
    // The address of a browser is its secret, and no word of a push service is repeated.
    const known = [own, Buffer.from(own, 'base64').toString().split(':')[1] ?? own];
    if (adapter === pushToBrowser) known.push(ENDPOINT);
    for (const secret of known) expect(JSON.stringify(results)).not.toContain(secret);
    expect(JSON.stringify(results).includes('wrong key [secret]')).toBe(adapter !== pushToBrowser);
  });
});
