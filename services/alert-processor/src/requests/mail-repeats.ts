import type { AlertCommand } from '@tocsin/events';
import type { Decided } from '../alerts/decided.ts';
import type { RequestStatus } from './request-status.ts';

/** The request that processed a mail. Its key identifies later deliveries of the mail (P10). */
export interface ProcessedMail {
  readonly key: string;
  readonly requestId: string;
  readonly alertId: string;
  readonly acceptedAt: Date;
}

/** How long a mail without a Message-ID counts as a repeat, in milliseconds; not after the close of its alert. */
export const UNIDENTIFIED_MAIL_MS = 10 * 60_000;

/** Finds repeated deliveries of mails that were processed before or earlier in the batch. For each key it keeps the mail accepted last. */
export class MailRepeats {
  readonly #processed = new Map<string, ProcessedMail>();

  constructor(processed: readonly ProcessedMail[] = []) {
    for (const mail of processed) this.#add(mail);
  }

  /** The outcome of a repeat; undefined for any other command. */
  repeatOf(
    { mail, acceptedAt }: Pick<AlertCommand, 'mail' | 'acceptedAt'>,
    isOpen: (alertId: string) => boolean,
  ): Decided | undefined {
    const first = mail && this.#processed.get(mail.key);
    if (mail === undefined || first === undefined) return undefined;
    const ageMs = Date.parse(acceptedAt) - first.acceptedAt.getTime();
    const known = mail.hasMessageId || (ageMs <= UNIDENTIFIED_MAIL_MS && isOpen(first.alertId));
    return known ? { kind: 'dropped', status: `Repeated message of request ${first.requestId}` } : undefined;
  }

  /** Remembers the mail of a request that has been processed. */
  apply(status: RequestStatus): void {
    const mail = processedMail(status);
    if (mail !== undefined) this.#add(mail);
  }

  #add(mail: ProcessedMail): void {
    const last = this.#processed.get(mail.key);
    if (last === undefined || last.acceptedAt <= mail.acceptedAt) this.#processed.set(mail.key, mail);
  }
}

/** The mail of a processed request; undefined if no mail made the request. */
export function processedMail({ requestId, alertId, mail }: RequestStatus): ProcessedMail | undefined {
  return mail && { ...mail, requestId, alertId };
}
