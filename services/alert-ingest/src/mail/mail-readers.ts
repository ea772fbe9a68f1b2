import type { Mail } from '../domain/mail.ts';
import { MailReader, type MailReaderLimits } from './mail-reader.ts';

/** How many mails are read at a time. */
const READERS = 2;

type Start = (reader: MailReader) => void;

/**
 * Reads mails in several processes, each as a `MailReader` does. While mails wait for a process, one of each sender is read, then
 * the next one of each.
 */
export class MailReaders {
  readonly #all: readonly MailReader[];
  readonly #free: MailReader[];
  /** The waiting mails by sender. The first sender is next, and moves to the end after that. */
  readonly #waiting = new Map<string, Start[]>();

  constructor(limits: Partial<MailReaderLimits> = {}, count: number = READERS) {
    this.#all = Array.from({ length: count }, () => new MailReader(limits));
    this.#free = [...this.#all];
  }

  /** `check` is called just before the mail is read. @throws as `MailReader.read`, and what `check` throws. */
  async read(raw: Uint8Array, holder = '', check: () => void = () => undefined): Promise<Mail> {
    const reader =
      this.#free.pop() ??
      (await new Promise<MailReader>((start) => {
        this.#waiting.set(holder, [...(this.#waiting.get(holder) ?? []), start]);
      }));
    try {
      check();
      return await reader.read(raw);
    } finally {
      const next = this.#next();
      if (next === undefined) this.#free.push(reader);
      else next(reader);
    }
  }

  #next(): Start | undefined {
    for (const [holder, [next, ...others]] of this.#waiting) {
      this.#waiting.delete(holder);
      if (others.length > 0) this.#waiting.set(holder, others);
      return next;
    }
    return undefined;
  }

  /** Ends the processes; what is being read is not read. */
  stop(): void {
    for (const reader of this.#all) reader.stop();
  }
}
