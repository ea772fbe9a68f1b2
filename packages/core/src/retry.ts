import { setTimeout as pause } from 'node:timers/promises';

const FIRST_MS = 100;
const MAX_MS = 1_000;

export interface BackOff {
  /** The longest pause after the first failure; 100 ms by default. */
  readonly firstMs?: number;
  /**
   * The longest pause after any number of failures; 1 s by default, so that work that waits for MongoDB or Kafka goes on within a
   * second of their return.
   */
  readonly maxMs?: number;
  /** From 0 up to but not including 1; random by default. It takes away up to half of a pause, so that many callers do not return at once. */
  readonly jitter?: number;
}

/** How long to wait after the `attempt`-th failure in a row (1 or more), in milliseconds. It doubles from `firstMs` to `maxMs`. */
export function backOffMs(
  attempt: number,
  { firstMs = FIRST_MS, jitter = Math.random(), maxMs = MAX_MS }: BackOff = {},
): number {
  const wholeMs = Math.min(maxMs, firstMs * 2 ** Math.min(attempt - 1, 30));
  return wholeMs * (1 - jitter / 2);
}

interface EndlessRetryOptions extends BackOff {
  /** Called with each failure. What it throws ends the retries. */
  readonly onFailure: (error: unknown, attempt: number) => void;
  /** Ends a pause early. */
  readonly signal?: AbortSignal;
  /** Waits between two tries, by the real time by default. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

interface RetryOptions extends EndlessRetryOptions {
  /** Whether try number `attempt` (from 1) may begin; asked before each. */
  readonly isWanted: (attempt: number) => boolean;
}

type Work<T> = (attempt: number) => Promise<T>;

/**
 * Tries `work` until it succeeds, with a pause after each failure, and resolves with its result. Undefined where a try is not
 * wanted.
 *
 * @throws what `onFailure` throws.
 */
export async function retry<T>(work: Work<T>, options: RetryOptions): Promise<T | undefined>;
export async function retry<T>(work: Work<T>, options: EndlessRetryOptions): Promise<T>;
export async function retry<T>(
  work: Work<T>,
  {
    isWanted = () => true,
    onFailure,
    signal,
    wait = waitUntil(signal),
    ...backOff
  }: EndlessRetryOptions & Partial<RetryOptions>,
): Promise<T | undefined> {
  for (let attempt = 1; isWanted(attempt); attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      onFailure(error, attempt);
      if (!isWanted(attempt + 1)) return undefined;
      await wait(backOffMs(attempt, backOff));
    }
  }
  return undefined;
}

const waitUntil =
  (signal: AbortSignal | undefined) =>
  (milliseconds: number): Promise<unknown> =>
    pause(milliseconds, undefined, signal && { signal }).catch(() => undefined);
