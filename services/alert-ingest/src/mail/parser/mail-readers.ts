import { Admission } from '@tocsin/http';
import type { Mail } from '../mail.ts';
import { MAIL_LIMITS } from '../smtp/mail-limits.ts';
import { MailReader, type MailReaderLimits } from './mail-reader.ts';

/** Larger mails can take seconds to read. */
const MAX_SMALL_BYTES = 262_144;
/** How many mails of each size are read at a time. */
const READERS: ReaderCounts = { small: 2, large: 1 };
/** Senders wait for the answer to a mail at least this long (RFC 5321, 4.5.3.2.6). */
const WAIT_MS = 600_000;

interface ReaderCounts {
  readonly small: number;
  readonly large: number;
}

/**
 * Reads mails in several processes, each as a `MailReader` does. Mails of at most 256 KiB have processes of their own, so that large mails,
 * of however many senders, delay no small one. A sender never has all processes of a size where there are several. While mails wait for a
 * process, one of each sender is read, then the next one of each.
 */
export class MailReaders {
  readonly #small: ReaderPool;
  readonly #large: ReaderPool;

  constructor(limits: Partial<MailReaderLimits> = {}, { large, small }: ReaderCounts = READERS) {
    this.#small = new ReaderPool(limits, small);
    this.#large = new ReaderPool(limits, large);
  }

  /**
   * `check` is called just before the mail is read.
   *
   * @throws as `MailReader.read`, what `check` throws, and UnavailableError where too many mails wait.
   */
  read(raw: Uint8Array, holder = '', check: () => void = () => undefined): Promise<Mail> {
    const pool = raw.length > MAX_SMALL_BYTES ? this.#large : this.#small;
    return pool.read(raw, holder, check);
  }

  /** Ends the processes; what is being read is not read. */
  stop(): void {
    this.#small.stop();
    this.#large.stop();
  }
}

/** Some processes that read mails, and the mails that wait for them. */
class ReaderPool {
  readonly #all: readonly MailReader[];
  readonly #free: MailReader[];
  readonly #admission: Admission;

  constructor(limits: Partial<MailReaderLimits>, count: number) {
    this.#all = Array.from({ length: count }, () => new MailReader(limits));
    this.#free = [...this.#all];
    this.#admission = new Admission({
      inAll: count,
      each: Math.max(1, count - 1),
      waiting: { inAll: MAIL_LIMITS.connections, each: MAIL_LIMITS.connectionsPerSender },
      waitMs: WAIT_MS,
    });
  }

  read(raw: Uint8Array, holder: string, check: () => void): Promise<Mail> {
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

  stop(): void {
    for (const reader of this.#all) reader.stop();
  }
}
