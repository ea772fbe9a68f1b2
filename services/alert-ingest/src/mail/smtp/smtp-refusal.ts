import { NotFoundError, TooLargeError, UnavailableError } from '@tocsin/core';
import { UnreadableMailError } from '../parser/mail-reader.ts';

/** A refusal by SMTP: 4xx asks the sender to repeat the mail, 5xx to report it to its author (RFC 5321). */
export class SmtpRefusal extends Error {
  override name = 'SmtpRefusal';
  readonly responseCode: number;

  constructor(responseCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.responseCode = responseCode;
  }

  /** Whether the sender may repeat the same. */
  get mayPass(): boolean {
    return this.responseCode < 500;
  }
}

/** The refusal for a failure. An internal failure always asks for a repetition, so no mail is lost by it. */
export function refusalOf(error: unknown): SmtpRefusal {
  if (error instanceof SmtpRefusal) return error;
  const options = { cause: error };
  if (error instanceof NotFoundError) return new SmtpRefusal(550, 'There is no such mailbox here', options);
  if (error instanceof TooLargeError) return new SmtpRefusal(552, 'What the mail says is too large', options);
  if (error instanceof UnreadableMailError) return new SmtpRefusal(554, 'The mail can not be read', options);
  if (error instanceof UnavailableError) return new SmtpRefusal(451, 'Mail can not be taken now, try again', options);
  return new SmtpRefusal(451, 'Local error, try again', options);
}
