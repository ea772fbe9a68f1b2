import type { OutgoingCaller } from '@tocsin/http';
import type { SendResult } from '../../domain/attempts.ts';
import type { KeyUrls } from '../../ports/callback-provider.ts';
import type { AttemptReference, Provider } from '../../ports/provider.ts';
import { internationalNumber } from '../phone-number.ts';
import { statusCallback, Twilio, type TwilioAccount } from '../twilio.ts';
import { CHOICE, type Call } from './message.ts';
import { spokenTwice } from './twiml.ts';

export interface TwilioVoiceSettings extends TwilioAccount {
  /** A number. */
  readonly from: string;
  /** Where Twilio tells of keys; undefined: it asks for none. */
  readonly keyUrls?: Pick<KeyUrls, 'urlOf'> | undefined;
}

/** Calls by Twilio, which says the text twice: who is woken misses its beginning. Of an alert it takes a key as the answer (U9). */
export class TwilioVoice implements Provider<Call> {
  readonly name = 'twilio';
  readonly tellsReceipts = true;
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
