import type { OutgoingAnswer, OutgoingCaller } from '@tocsin/http';
import type { SendResult } from '../../messages/attempts.ts';
import { internationalNumber } from '../../messages/phone-number.ts';
import type { AttemptReference, Provider } from '../channel.ts';
import { acceptedCutOff, fieldsOf, refusal, unanswered, words } from '../http/outgoing.ts';
import type { TextMessage } from '../sms/message.ts';
import { type Call, CHOICE } from '../voice/message.ts';
import { spokenTwice } from './twiml.ts';
import type { KeyLinks } from '../callbacks/links.ts';

/** An account at Twilio, or at another service with its API. */
export interface TwilioAccount {
  /** Such as `https://api.twilio.com`. */
  readonly url: string;
  readonly accountSid: string;
  readonly authToken: string;
}

/** Twilio's id of an accepted message or call. */
const SID = /^[A-Z]{2}[0-9a-f]{32}$/;

/** The parameter with the URL for receipts; none without such a URL. */
const statusCallback = ({ callbackUrl }: AttemptReference): Readonly<Record<string, string>> =>
  callbackUrl === undefined ? {} : { StatusCallback: callbackUrl };

/** Twilio's REST API, of which sms and voice each use one resource. */
export class Twilio {
  readonly #account: TwilioAccount;
  readonly #outgoing: OutgoingCaller;
  readonly #login: string;

  constructor(account: TwilioAccount, outgoing: OutgoingCaller) {
    this.#account = account;
    this.#outgoing = outgoing;
    this.#login = Buffer.from(`${account.accountSid}:${account.authToken}`).toString('base64');
  }

  /** Makes one message or call. Its sid is the response of an accepted one. */
  async make(resource: 'Messages' | 'Calls', parameters: Readonly<Record<string, string>>): Promise<SendResult> {
    const { accountSid, url } = this.#account;
    const outcome = await this.#outgoing.call({
      method: 'POST',
      url: `${url.replace(/\/+$/, '')}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/${resource}.json`,
      headers: {
        authorization: `Basic ${this.#login}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: new URLSearchParams(parameters).toString(),
    });
    return outcome.kind === 'answered' ? this.#result(outcome) : unanswered(outcome);
  }

  #result(answer: OutgoingAnswer): SendResult {
    const { sid, code, message } = fieldsOf(answer);
    const isTaken = answer.status >= 200 && answer.status < 300;
    if (!isTaken) return refusal(answer, this.#words([code, message]));
    if (typeof sid === 'string' && SID.test(sid)) return { kind: 'accepted', response: sid };
    if (answer.isTruncated) return acceptedCutOff(answer);
    return { kind: 'unknown', reason: `it answered ${answer.status}, but not as Twilio does` };
  }

  #words(said: readonly unknown[]): string {
    const known = said.filter((word) => typeof word === 'string' || typeof word === 'number');
    return words(known.join(' '), [this.#account.authToken, this.#login]);
  }
}

export interface TwilioSmsSettings extends TwilioAccount {
  /** A number, a name that carriers show instead of one, or the sid of a messaging service, `MG…`. */
  readonly from: string;
}

const SERVICE_SID = /^MG[0-9a-f]{32}$/;

/** Text messages by Twilio. */
export class TwilioSms implements Provider<TextMessage> {
  readonly name = 'twilio';
  readonly sendsReceipts = true;
  readonly #twilio: Twilio;
  readonly #sender: Readonly<Record<string, string>>;

  constructor({ from, ...account }: TwilioSmsSettings, outgoing: OutgoingCaller) {
    this.#twilio = new Twilio(account, outgoing);
    this.#sender = SERVICE_SID.test(from) ? { MessagingServiceSid: from } : { From: from };
  }

  send({ text, to }: TextMessage, attempt: AttemptReference): Promise<SendResult> {
    const sent = { To: internationalNumber(to), ...this.#sender, Body: text };
    return this.#twilio.make('Messages', { ...sent, ...statusCallback(attempt) });
  }
}

export interface TwilioVoiceSettings extends TwilioAccount {
  /** A number. */
  readonly from: string;
  /** Where Twilio reports keys; undefined: it asks for none. */
  readonly keyUrls?: Pick<KeyLinks, 'urlOf'> | undefined;
}

/**
 * Calls by Twilio, which says the text twice, because a user who wakes up misses its beginning. In a call about an alert it takes a
 * key as the answer (U20).
 */
export class TwilioVoice implements Provider<Call> {
  readonly name = 'twilio';
  readonly sendsReceipts = true;
  readonly #twilio: Twilio;
  readonly #from: string;
  readonly #keyUrls: TwilioVoiceSettings['keyUrls'];

  constructor({ from, keyUrls, ...account }: TwilioVoiceSettings, outgoing: OutgoingCaller) {
    this.#twilio = new Twilio(account, outgoing);
    this.#from = from;
    this.#keyUrls = keyUrls;
  }

  send({ about, text, to }: Call, attempt: AttemptReference): Promise<SendResult> {
    const url = about && this.#keyUrls?.urlOf(this.name, { about, asked: 1 });
    const twiml = spokenTwice(text, url === undefined ? undefined : { choice: CHOICE, url });
    const called = { To: internationalNumber(to), From: this.#from, Twiml: twiml };
    return this.#twilio.make('Calls', { ...called, ...statusCallback(attempt) });
  }
}
