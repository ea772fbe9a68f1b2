import { setImmediate } from 'node:timers/promises';

/** Milliseconds of long work after which the event loop runs again: a process serves many callers, and one of them pages users. */
const MAX_WORK_MS = 4;

/**
 * Lets the event loop run after each 4 ms of the long work of a process, of all its requests together. Work that pauses goes on
 * in the order in which it paused, and each in a turn of its own.
 *
 * @example
 * for (const item of items) {
 *   if (longWork.isPauseDue()) await longWork.pause();
 *   process(item);
 * }
 */
export class LongWork {
  readonly #now: () => number;
  /** When the work of the present turn of the event loop has to pause; undefined where there was none yet. */
  #ends: { readonly atMs: number } | undefined;
  #lastPause: Promise<unknown> = Promise.resolve();

  /** `now` returns milliseconds of a clock that goes on steadily. */
  constructor(now = (): number => performance.now()) {
    this.#now = now;
  }

  /** Whether long work has taken 4 ms in this turn of the event loop. The first call of a turn begins to count. */
  isPauseDue(): boolean {
    return this.#now() >= (this.#ends ?? this.#begin()).atMs;
  }

  /** Resolves after the event loop has run. */
  async pause(): Promise<void> {
    await (this.#lastPause = this.#lastPause.then(() => setImmediate()));
    this.#begin();
  }

  #begin(): { readonly atMs: number } {
    const ends = { atMs: this.#now() + MAX_WORK_MS };
    this.#ends = ends;
    void setImmediate().then(() => {
      if (this.#ends === ends) this.#ends = undefined;
    });
    return ends;
  }
}

/** The instance of this process. */
export const longWork = new LongWork();

/** Work in steps of a few milliseconds at most. Between steps the caller may let the event loop run. */
export type Steps<T> = Generator<undefined, T>;

/** The result of `steps`, without a pause between them. */
export function finished<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** The result of `steps`, each of which takes a few milliseconds at most. The event loop runs in between. */
export async function inSteps<T>(steps: Iterator<unknown, T>, work = longWork): Promise<T> {
  for (;;) {
    if (work.isPauseDue()) await work.pause();
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The results of `map` for each item, joined as by `flatMap`. The event loop runs in between, however many and large the items are. */
export async function flatMapInSteps<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  map: (item: T) => readonly R[],
  work = longWork,
): Promise<R[]> {
  const results: R[] = [];
  for await (const item of items) {
    if (work.isPauseDue()) await work.pause();
    results.push(...map(item));
  }
  return results;
}

/** The results of `map` for each item, as {@link flatMapInSteps}. */
export const mapInSteps = <T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  map: (item: T) => R,
  work = longWork,
): Promise<R[]> => flatMapInSteps(items, (item) => [map(item)], work);
