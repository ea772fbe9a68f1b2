import { Admission } from '@tocsin/http';
import type { Mail } from '../domain/mail.ts';
import { MAIL_LIMITS } from './mail-limits.ts';
import { MailReader, type MailReaderLimits } from './mail-reader.ts';

/** How many mails are read at a time. */
const READERS = 2;
/** Senders wait for the answer to a mail at least this long (RFC 5321, 4.5.3.2.6). */
const WAIT_MS = 600_000;

/**
 * Reads mails in several processes, each as a `MailReader` does. A sender never has all of them, so that its slow mails
 * hold up no mail of another. While mails wait for a process, one of each sender is read, then the next one of each.
 */
export class MailReaders {
  readonly #all: readonly MailReader[];
  readonly #free: MailReader[];
  readonly #admission: Admission;

  constructor(limits: Partial<MailReaderLimits> = {}, count: number = READERS) {
    this.#all = Array.from({ length: count }, () => new MailReader(limits));
    this.#free = [...this.#all];
    this.#admission = new Admission({
      atOnce: { inAll: count, each: Math.max(1, count - 1) },
      waiting: { inAll: MAIL_LIMITS.connections, each: MAIL_LIMITS.connectionsPerSender },
      waitMs: WAIT_MS,
    });
  }

  /**
   * `check` is called just before the mail is read.
   *
   * @throws as `MailReader.read`, what `check` throws, and UnavailableError where too many mails wait.
   */
  read(raw: Uint8Array, holder = '', check: () => void = () => undefined): Promise<Mail> {
    return this.#admission.run(holder, async () => {
      check();
      const reader = this.#free.pop();
      if (reader === undefined) throw new TypeError('More mails are read than there are processes.');
      try {
        return await reader.read(raw);
      } finally {
        this.#free.push(reader);
      }
    });
  }

  /** Ends the processes; what is being read is not read. */
  stop(): void {
    for (const reader of this.#all) reader.stop();
  }
}
