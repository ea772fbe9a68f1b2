import type { Mail } from '../domain/mail.ts';
import { MailReader, type MailReaderLimits } from './mail-reader.ts';

/** How many mails are read at a time. */
const READERS = 2;

/** Reads mails in several processes, each as a `MailReader` does: one that takes long holds up no other while a reader is free. */
export class MailReaders {
  readonly #all: readonly MailReader[];
  readonly #free: MailReader[];
  readonly #waiting: ((reader: MailReader) => void)[] = [];

  constructor(limits: Partial<MailReaderLimits> = {}, count: number = READERS) {
    this.#all = Array.from({ length: count }, () => new MailReader(limits));
    this.#free = [...this.#all];
  }

  /** `check` is asked when the turn of the mail has come. @throws as `MailReader.read`, and what `check` throws. */
  async read(raw: Uint8Array, check: () => void = () => undefined): Promise<Mail> {
    const reader =
      this.#free.pop() ??
      (await new Promise<MailReader>((resolve) => {
        this.#waiting.push(resolve);
      }));
    try {
      check();
      return await reader.read(raw);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(reader);
      else next(reader);
    }
  }

  /** Ends the processes; what is being read is not read. */
  stop(): void {
    for (const reader of this.#all) reader.stop();
  }
}
