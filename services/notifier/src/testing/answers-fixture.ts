import { ManualClock, UnavailableError } from '@tocsin/core';
import type { UserState } from '@tocsin/events';
import { LinkSigner, PRINCIPAL_HEADER, PrincipalSigner } from '@tocsin/http';
import { twilioSignature } from '@tocsin/testkit';
import request from 'supertest';
import { AnswerAlerts } from '../answers/operations.ts';
import { TakeCallbacks } from '../channels/operations.ts';
import { TakeKeys, TakeReplies } from '../answers/phone-operations.ts';
import { GatewayCallbacks } from '../channels/gateway/callbacks.ts';
import { TwilioCallbacks } from '../channels/twilio/callbacks.ts';
import type { CallbackProvider } from '../channels/callback-provider.ts';
import { setUpApp, SIGNING_KEY } from './app-fixture.ts';
import { useStores } from './mongo-fixture.ts';
import type { MongoStores } from './mongo-stores.ts';
import { ada } from './page-samples.ts';
import { KnownAlerts } from './known-alerts.ts';
import { NumberLimits } from '../channels/sms/number-limits.ts';
import { CallbackLinks, KeyLinks } from '../channels/callbacks/links.ts';

const KEYS = [SIGNING_KEY];
const TWILIO_TOKEN = 'a-token-of-twilio';
/** The token that the gateway of text messages and Tocsin agreed on. */
export const AGREED_TOKEN = 'agreed-with-the-gateway';
export const BASE_URL = 'https://tocsin.example.com';
export const PHONE = '1-5551234567';

/** The answer to a provider. */
interface Answered {
  readonly status: number;
  readonly type: string | undefined;
  readonly text: string;
}

/** The service as providers call it to report answers of users. */
export interface AnswersUnderTest extends Pick<MongoStores, 'codes' | 'commands' | 'decisions'> {
  readonly clock: ManualClock;
  /** The metrics of the calls. */
  readonly outcomes: readonly string[];
  readonly keyUrls: KeyLinks;
  /** Whether directory does not answer. */
  readonly unavailable: { directory: boolean };
  readonly userIs: (user: UserState | undefined) => void;
  readonly alertIs: KnownAlerts['set'];
  readonly ordered: () => Promise<readonly string[]>;
  /** Calls `url` with a form, as the gateway passes it on, signed as Twilio signs. */
  readonly call: (url: string, fields: Readonly<Record<string, string>>, authToken?: string) => Promise<Answered>;
}

/** Ada with {@link PHONE} as a contact of `method`, by default. */
export const adaBy = (method: 'sms' | 'voice', change: Partial<UserState['contacts'][number]> = {}): UserState =>
  ada({ contacts: [{ id: 'c2', method, to: PHONE, enabled: true, ...change }] });

/** Gives the service to one test after the other of a file; `known` is the only user. */
export function useAnswers(): (known: UserState) => Promise<AnswersUnderTest> {
  const open = useStores();
  return async (known) => answersOn(await open(), known);
}

function answersOn({ acts, codes, commands, decisions }: MongoStores, known: UserState): AnswersUnderTest {
  const clock = new ManualClock(new Date('2026-01-05T08:00:00Z'));
  const alerts = new KnownAlerts();
  const outcomes: string[] = [];
  const unavailable = { directory: false };
  let user: UserState | undefined = known;
  const users = {
    get: () => undefined,
    isDeleted: () => false,
    fetch: (_: 'id', id: string) =>
      unavailable.directory
        ? Promise.reject(new UnavailableError('Directory is unavailable.'))
        : Promise.resolve(user?.id === id ? user : undefined),
  };
  const answers = new AnswerAlerts({ acts, alerts, users, clock });
  const parts = { baseUrl: BASE_URL, clock };
  const keyUrls = new KeyLinks({ ...parts, links: new LinkSigner(KEYS, 'call-key') });
  const agreed = { token: AGREED_TOKEN, fromField: 'sender', textField: 'content' };
  const callbacks = new TakeCallbacks({
    urls: new CallbackLinks({ ...parts, links: new LinkSigner(KEYS, 'callback') }),
    keyUrls,
    providers: new Map<string, CallbackProvider>([
      ['twilio', new TwilioCallbacks(TWILIO_TOKEN, true)],
      ['http', new GatewayCallbacks({ sms: undefined, voice: undefined }, agreed)],
    ]),
    receipts: { take: () => Promise.reject(new Error('this is no receipt')) },
    keys: new TakeKeys(answers),
    replies: new TakeReplies({ codes, answers, limits: new NumberLimits(() => clock.now().getTime()), clock }),
    onCallback: (outcome) => void outcomes.push(outcome),
  });
  const { app } = setUpApp({ callbacks });
  return {
    clock,
    codes,
    commands,
    decisions,
    outcomes,
    keyUrls,
    unavailable,
    userIs: (changed) => {
      user = changed;
    },
    alertIs: alerts.set,
    ordered: async () => (await commands()).map(({ kind }) => kind),
    call: async (url, fields, authToken = TWILIO_TOKEN) => {
      const { pathname, search } = new URL(url);
      // The clock of the app does not move.
      const signedAt = new Date('2026-01-05T08:00:00Z');
      const answer = await request(app)
        .post(`${pathname}${search}`)
        .set(PRINCIPAL_HEADER, await new PrincipalSigner(KEYS).sign({ service: 'gateway' }, 'notifier', signedAt))
        .set({
          'content-type': 'application/x-www-form-urlencoded',
          'x-twilio-signature': twilioSignature(url, fields, authToken),
        })
        .send(new URLSearchParams(fields).toString());
      return { status: answer.status, type: answer.headers['content-type'], text: answer.text };
    },
  };
}
