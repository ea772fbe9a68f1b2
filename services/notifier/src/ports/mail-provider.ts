import type { SendResult } from '../domain/delivery.ts';
import type { Mail } from '../domain/mail.ts';

/** A way to hand mail over. Answers within a bounded time and never rejects: every trouble is a result. */
export interface MailProvider {
  send(mail: Mail): Promise<SendResult>;
}
