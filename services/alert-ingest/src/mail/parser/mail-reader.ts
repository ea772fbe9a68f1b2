import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { UnavailableError } from '@tocsin/core';
import type { Mail } from '../mail.ts';

/** The mail cannot be read, however often it is tried. */
export class UnreadableMailError extends Error {
  override name = 'UnreadableMailError';
}

/** A mail on which a reader used up all the memory that one mail may take. */
export class CostlyMailError extends UnreadableMailError {
  override name = 'CostlyMailError';
}

/** The mail was not read in time. It may be an attack, or the machine may be busy, so its sender may repeat it. */
export class SlowMailError extends UnavailableError {}

export interface MailReaderLimits {
  /** For one mail, in milliseconds. */
  readonly timeMs: number;
  /** For what reading makes of mails, beside their bytes, in megabytes. */
  readonly memoryMb: number;
}

/** The largest mails that people send need a tenth of the time, which counts from when the process is up. */
const LIMITS: MailReaderLimits = { timeMs: 5_000, memoryMb: 128 };
const START_MS = 30_000;
/** A process that has had nothing to do for so long is ended; the next mail starts another. */
const IDLE_MS = 30_000;

/**
 * Reads mails one after the other in a process of its own, within bounds of time and memory: alerts are not kept waiting by a
 * large mail, and a mail that is made to hurt ends that process alone.
 */
export class MailReader {
  readonly #limits: MailReaderLimits;
  #process: ChildProcess | undefined;
  /** The process that has said that it is ready. */
  #up: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(limits: Partial<MailReaderLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /**
   * @throws UnreadableMailError when it is no mail, CostlyMailError when it needs too much memory; SlowMailError when it is not
   *   read in time, UnavailableError when the process ended for another reason: those may be repeated.
   */
  read(raw: Uint8Array): Promise<Mail> {
    const reading = this.#last.then(() => this.#readNext(raw));
    this.#last = reading.catch(() => undefined);
    return reading;
  }

  /** Ends the process; what is being read is not read. */
  stop(): void {
    clearTimeout(this.#idle);
    this.#end();
  }

  async #readNext(raw: Uint8Array): Promise<Mail> {
    clearTimeout(this.#idle);
    const started = (this.#process ??= this.#start());
    const isUp = this.#up === started || (await isReady(started));
    if (isUp) this.#up = started;
    const reading: Reading = isUp ? await outcomeOf(started, raw, this.#limits.timeMs) : { kind: 'ended' };
    if (reading.kind === 'over-time') this.#end();
    else
      this.#idle = setTimeout(() => {
        this.#end();
      }, IDLE_MS).unref();
    if (reading.kind === 'read') return reading.mail;
    if (reading.kind === 'ended') throw new UnavailableError('The reading of mails was ended.');
    if (reading.kind === 'no-mail') throw new UnreadableMailError('The mail can not be read.');
    if (reading.kind === 'over-time') throw new SlowMailError('The mail was not read in time.');
    throw new CostlyMailError('The mail can not be read within the bounds.');
  }

  #start(): ChildProcess {
    // The source runs as it is in development and tests, what was built of it in an image.
    const file = fileURLToPath(new URL(`./mail-worker${import.meta.url.slice(-3)}`, import.meta.url));
    const started = fork(file, {
      execArgv: [`--max-old-space-size=${this.#limits.memoryMb}`, '--disable-warning=ExperimentalWarning'],
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const gone = (): void => {
      if (this.#process === started) this.#process = undefined;
    };
    started.on('error', gone).on('exit', gone);
    started.unref();
    started.channel?.unref();
    return started;
  }

  #end(): void {
    const ended = this.#process;
    this.#process = undefined;
    ended?.kill('SIGKILL');
  }
}

type Reading =
  { readonly kind: 'read'; readonly mail: Mail } | { readonly kind: 'no-mail' | 'over-memory' | 'over-time' | 'ended' };

/** Whether the process starts: its first message is that it is ready. */
function isReady(started: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (ready: boolean) => (): void => {
      clearTimeout(timer);
      started.off('message', up).off('exit', down).off('error', down);
      resolve(ready);
    };
    const [up, down] = [settle(true), settle(false)];
    const timer = setTimeout(down, START_MS);
    started.on('message', up).on('exit', down).on('error', down);
  });
}

/** How V8 ends a process that is out of memory. */
const OUT_OF_MEMORY: ReadonlySet<NodeJS.Signals | number | null> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL', 134]);

function outcomeOf(reader: ChildProcess, raw: Uint8Array, timeMs: number): Promise<Reading> {
  return new Promise((resolve) => {
    const settle = (reading: Reading): void => {
      clearTimeout(timer);
      reader.off('message', answered).off('exit', exited).off('error', broken);
      resolve(reading);
    };
    const answered = (message: unknown): void => {
      const { mail } = message as { readonly mail?: Mail };
      settle(mail === undefined ? { kind: 'no-mail' } : { kind: 'read', mail });
    };
    const exited = (code: number | null, signal: NodeJS.Signals | null): void => {
      settle({ kind: OUT_OF_MEMORY.has(signal ?? code) ? 'over-memory' : 'ended' });
    };
    const broken = (): void => {
      settle({ kind: 'ended' });
    };
    const timer = setTimeout(() => {
      settle({ kind: 'over-time' });
    }, timeMs);
    reader.on('message', answered).on('exit', exited).on('error', broken);
    // Where this fails the process has ended, and its exit is handled.
    reader.send(raw, () => undefined);
  });
}
