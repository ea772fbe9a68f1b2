import { Worker } from 'node:worker_threads';
import type { Mail } from '../domain/mail.ts';

/** The mail cannot be read, however often it is tried. */
export class UnreadableMailError extends Error {
  override name = 'UnreadableMailError';
}

export interface MailReaderLimits {
  /** For one mail, in milliseconds. */
  readonly timeMs: number;
  /** For what is made of one mail beside its files, in megabytes. */
  readonly memoryMb: number;
}

/** The largest mails that people send need a tenth of it. */
const LIMITS: MailReaderLimits = { timeMs: 20_000, memoryMb: 384 };
/** A thread that has had nothing to do for so long is ended; the next mail starts another. */
const IDLE_MS = 30_000;

/**
 * Reads mails one after the other in a thread of its own, within bounds of time and memory: alerts are not kept waiting by a large
 * mail, and a mail that is made to hurt ends that thread alone.
 */
export class MailReader {
  readonly #limits: MailReaderLimits;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(limits: Partial<MailReaderLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** @throws UnreadableMailError when it is no mail, or cannot be read within the bounds. */
  read(raw: Uint8Array): Promise<Mail> {
    const reading = this.#last.then(() => this.#readNext(raw));
    this.#last = reading.catch(() => undefined);
    return reading;
  }

  /** Ends the thread; what is being read cannot be read any more. */
  async stop(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#end();
  }

  async #readNext(raw: Uint8Array): Promise<Mail> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const mail = await answerOf(this.#worker, raw, this.#limits.timeMs);
    if (mail === 'lost') await this.#end();
    else
      this.#idle = setTimeout(() => {
        void this.#end();
      }, IDLE_MS).unref();
    if (mail === 'lost' || mail === undefined) throw new UnreadableMailError('The mail can not be read.');
    return mail;
  }

  #start(): Worker {
    // The source runs as it is in development and tests, what was built of it in an image.
    const file = new URL(`./mail-worker${import.meta.url.slice(-3)}`, import.meta.url);
    const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: this.#limits.memoryMb } });
    worker.unref();
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

/** The mail; undefined where it is none; `lost` where the thread ended over it or took too long. */
function answerOf(worker: Worker, raw: Uint8Array, timeMs: number): Promise<Mail | 'lost' | undefined> {
  return new Promise((resolve) => {
    const settle = (answer: Mail | 'lost' | undefined): void => {
      clearTimeout(timer);
      worker.off('message', read).off('exit', lost);
      resolve(answer);
    };
    const lost = (): void => {
      settle('lost');
    };
    const read = ({ mail }: { readonly mail?: Mail }): void => {
      settle(mail);
    };
    const timer = setTimeout(lost, timeMs);
    worker.on('message', read).on('exit', lost);
    worker.postMessage(raw);
  });
}
