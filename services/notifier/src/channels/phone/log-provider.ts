import type { SendResult } from '../../messages/attempts.ts';
import type { AttemptReference, Provider } from '../channel.ts';
import { maskedNumber } from '../../messages/phone-number.ts';

/** The log entry in place of a message. */
export interface LoggedMessage extends Omit<AttemptReference, 'callbackUrl'> {
  readonly method: 'sms' | 'voice';
  readonly to: string;
  readonly characters: number;
}

/**
 * Writes a log line in place of sending a message, for trials without an account at a provider. The line does not have the text,
 * which may be a code that confirms a contact.
 */
export class LogProvider implements Provider<{ readonly to: string; readonly text: string }> {
  readonly name = 'log';
  readonly #method: LoggedMessage['method'];
  readonly #write: (message: LoggedMessage) => void;

  constructor(method: LoggedMessage['method'], write: (message: LoggedMessage) => void) {
    this.#method = method;
    this.#write = write;
  }

  send(
    { text, to }: { readonly to: string; readonly text: string },
    { attempt, deliveryId }: AttemptReference,
  ): Promise<SendResult> {
    this.#write({
      deliveryId,
      attempt,
      method: this.#method,
      to: maskedNumber(to),
      characters: Array.from(text).length,
    });
    return Promise.resolve({ kind: 'accepted', response: 'written to the log' });
  }
}
