import { shareOf } from '@tocsin/http';

/** The longest wait of a read for commands that were accepted before it, real time (A8, A16). */
export const MAX_WAIT_MS = 2_000;
const PAUSE_MS = 25;
/** Readers of one kind that wait at a time. Others are answered without waiting. */
export const MAX_WAITING = shareOf(2_000, 75);

export interface SharedPollPorts<K, T> {
  /** The present values of `keys`. A key without a value is missing. */
  readonly find: (keys: readonly K[]) => Promise<ReadonlyMap<K, T>>;
  /** Real time. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
}

export interface WantedValue<K, T> {
  readonly key: K;
  /** Whether the wait ends with this value; by default with any. */
  readonly isWanted?: (value: T) => boolean;
  /** 2 s by default. */
  readonly withinMs?: number;
}

interface Waiting<K, T> extends Required<Omit<WantedValue<K, T>, 'withinMs'>> {
  readonly answer: PromiseWithResolvers<T | undefined>;
  readonly untilMs: number;
}

/**
 * Waits for values that are about to be written. All readers of this process share one poller, which reads all their values in
 * one query, and rests while no reader waits.
 */
export class SharedPoll<K, T> {
  readonly #ports: SharedPollPorts<K, T>;
  readonly #waiting = new Set<Waiting<K, T>>();
  #polling = false;

  constructor(ports: SharedPollPorts<K, T>) {
    this.#ports = ports;
  }

  /**
   * The value as soon as it is there and wanted. Undefined if it is not in time.
   *
   * @throws what `find` throws.
   */
  async waitFor({ key, isWanted = () => true, withinMs = MAX_WAIT_MS }: WantedValue<K, T>): Promise<T | undefined> {
    const answer = Promise.withResolvers<T | undefined>();
    this.#waiting.add({ key, isWanted, answer, untilMs: this.#ports.nowMs() + withinMs });
    if (!this.#polling) void this.#poll();
    return answer.promise;
  }

  async #poll(): Promise<void> {
    this.#polling = true;
    try {
      while (this.#waiting.size > 0) {
        await this.#ports.pause(PAUSE_MS);
        await this.#look();
      }
    } finally {
      this.#polling = false;
    }
  }

  async #look(): Promise<void> {
    const waiting = [...this.#waiting];
    try {
      const values = await this.#ports.find([...new Set(waiting.map(({ key }) => key))]);
      for (const one of waiting) this.#answer(one, values.get(one.key));
    } catch (error) {
      for (const one of waiting) {
        this.#waiting.delete(one);
        one.answer.reject(error);
      }
    }
  }

  #answer(waiting: Waiting<K, T>, found: T | undefined): void {
    const value = found !== undefined && waiting.isWanted(found) ? found : undefined;
    if (value === undefined && this.#ports.nowMs() < waiting.untilMs) return;
    this.#waiting.delete(waiting);
    waiting.answer.resolve(value);
  }
}
