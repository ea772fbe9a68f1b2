import type { OutgoingCaller } from '@tocsin/http';
import type { SendResult } from '../../domain/delivery.ts';
import type { AttemptReference, Provider } from '../../ports/provider.ts';
import { internationalNumber } from '../phone-number.ts';
import { statusCallback, Twilio, type TwilioAccount } from '../twilio.ts';
import type { Call } from './message.ts';
import { spokenTwice } from './twiml.ts';

export interface TwilioVoiceSettings extends TwilioAccount {
  /** A number. */
  readonly from: string;
}

/** Calls by Twilio, which says the text twice: who is woken misses its beginning. */
export class TwilioVoice implements Provider<Call> {
  readonly name = 'twilio';
  readonly tellsReceipts = true;
  readonly #twilio: Twilio;
  readonly #from: string;

  constructor({ from, ...account }: TwilioVoiceSettings, outgoing: OutgoingCaller) {
    this.#twilio = new Twilio(account, outgoing);
    this.#from = from;
  }

  send({ text, to }: Call, attempt: AttemptReference): Promise<SendResult> {
    const called = { To: internationalNumber(to), From: this.#from, Twiml: spokenTwice(text) };
    return this.#twilio.make('Calls', { ...called, ...statusCallback(attempt) });
  }
}
