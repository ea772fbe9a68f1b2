import type { OutgoingAnswer, OutgoingCaller } from '@tocsin/http';
import type { SendResult } from '../domain/attempts.ts';
import type { AttemptReference } from '../ports/provider.ts';
import { fieldsOf, refusal, unanswered, words } from './answers.ts';

/** An account at Twilio, or at whoever speaks its API. */
export interface TwilioAccount {
  /** Such as `https://api.twilio.com`. */
  readonly url: string;
  readonly accountSid: string;
  readonly authToken: string;
}

/** What Twilio calls a message or call that it took. */
const SID = /^[A-Z]{2}[0-9a-f]{32}$/;

/** The parameter by which Twilio is told where to say what became of a message or call; none where that is nowhere. */
export const statusCallback = ({ callbackUrl }: AttemptReference): Readonly<Record<string, string>> =>
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
    if (!isTaken) return refusal(answer.status, this.#words([code, message]));
    if (typeof sid === 'string' && SID.test(sid)) return { kind: 'accepted', response: sid };
    if (answer.isCut) return { kind: 'accepted', response: `it answered ${answer.status}, and broke off` };
    return { kind: 'unknown', reason: `it answered ${answer.status}, but not as Twilio does` };
  }

  #words(said: readonly unknown[]): string {
    const known = said.filter((word) => typeof word === 'string' || typeof word === 'number');
    return words(known.join(' '), [this.#account.authToken, this.#login]);
  }
}
