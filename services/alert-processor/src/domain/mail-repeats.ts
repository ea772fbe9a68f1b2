import type { AlertCommand } from '@tocsin/contracts';
import type { Decided } from './decided.ts';
import type { RequestStatus } from './request-status.ts';

/** The request that settled a mail. Its key identifies later deliveries of the mail (P10). */
export interface SettledMail {
  readonly key: string;
  readonly requestId: string;
  readonly alertId: string;
  readonly acceptedAt: Date;
}

/** How long a mail without a Message-ID counts as a repeat, in milliseconds; not after the close of its alert. */
export const UNIDENTIFIED_MAIL_MS = 10 * 60_000;

/** Finds repeated deliveries of mails that settled before or earlier in the batch. For each key it keeps the mail accepted last. */
export class MailRepeats {
  readonly #settled = new Map<string, SettledMail>();

  constructor(settled: readonly SettledMail[] = []) {
    for (const mail of settled) this.#add(mail);
  }

  /** The outcome of a repeat; undefined for any other command. */
  repeatOf(
    { mail, acceptedAt }: Pick<AlertCommand, 'mail' | 'acceptedAt'>,
    isOpen: (alertId: string) => boolean,
  ): Decided | undefined {
    const first = mail && this.#settled.get(mail.key);
    if (mail === undefined || first === undefined) return undefined;
    const ageMs = Date.parse(acceptedAt) - first.acceptedAt.getTime();
    const known = mail.hasMessageId || (ageMs <= UNIDENTIFIED_MAIL_MS && isOpen(first.alertId));
    return known ? { kind: 'dropped', status: `Repeated mail of request ${first.requestId}` } : undefined;
  }

  /** Remembers the mail of a request that has settled. */
  settle(status: RequestStatus): void {
    const mail = settledMail(status);
    if (mail !== undefined) this.#add(mail);
  }

  #add(mail: SettledMail): void {
    const last = this.#settled.get(mail.key);
    if (last === undefined || last.acceptedAt <= mail.acceptedAt) this.#settled.set(mail.key, mail);
  }
}

/** The mail of a settled request; undefined if no mail made the request. */
export function settledMail({ requestId, alertId, mail }: RequestStatus): SettledMail | undefined {
  return mail && { ...mail, requestId, alertId };
}
