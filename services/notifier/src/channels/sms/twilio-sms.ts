import type { OutgoingCaller } from '@tocsin/http';
import type { SendResult } from '../../domain/attempts.ts';
import type { AttemptReference, Provider } from '../../ports/provider.ts';
import { internationalNumber } from '../phone-number.ts';
import { statusCallback, Twilio, type TwilioAccount } from '../twilio.ts';
import type { TextMessage } from './message.ts';

export interface TwilioSmsSettings extends TwilioAccount {
  /** A number, a name that carriers show instead of one, or the sid of a messaging service, `MG…`. */
  readonly from: string;
}

const SERVICE_SID = /^MG[0-9a-f]{32}$/;

/** Text messages by Twilio. */
export class TwilioSms implements Provider<TextMessage> {
  readonly name = 'twilio';
  readonly tellsReceipts = true;
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
