/** Measurements in one round: several, because garbage collection and compilation make some of them longer. */
const TRIES = 10;
/** Rounds, each with its own calibration: a processor may become slower after it was calibrated. */
const ROUNDS = 6;
const CALIBRATION_TRIES = 4;
/** Some systems count processor time in steps of ten milliseconds, so that one calibration takes longer than that. */
const PARSES = 25;
/** The longest time of one parse on an undisturbed processor, in milliseconds. */
const USUAL_PARSE_MS = 4;

const TEXT = JSON.stringify(Array.from({ length: 10_000 }, (_, index) => ({ index, name: 'a name' })));

/** Milliseconds after which a waiting thread certainly sleeps. */
const SLEEP_MS = 0.2;
const NEVER_CHANGED = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Linux counts up to the last tick, some milliseconds ago, unless the thread has slept since. */
function exactUsage(before?: NodeJS.CpuUsage): NodeJS.CpuUsage {
  Atomics.wait(NEVER_CHANGED, 0, 0, SLEEP_MS);
  return process.threadCpuUsage(before);
}

/** Starts a stopwatch of the processor time of this thread: returns a function that returns the milliseconds since this call. */
export function startProcessorTime(): () => number {
  const before = exactUsage();
  const beganAt = performance.now();
  return () => {
    const wallMs = performance.now() - beganAt;
    const { system, user } = exactUsage(before);
    // Where the counter still moves in steps, it may be ahead of the clock, which also counts the time of other threads.
    return Math.min((system + user) / 1_000, wallMs);
  };
}

/** The slowness of the processor, which other processes make slower at times. */
export class Processor {
  readonly #parseMs: () => number;
  #quietMs = USUAL_PARSE_MS;

  /** `parseMs` returns how long one parse takes at present. */
  constructor(parseMs = presentParseMs) {
    this.#parseMs = parseMs;
    this.slowness();
  }

  /** The factor by which the processor is slower now than before, or than a usual one if it was never as fast; at least 1. */
  slowness(): number {
    const ms = this.#parseMs();
    this.#quietMs = Math.min(this.#quietMs, ms);
    return ms / this.#quietMs;
  }
}

let ownProcessor: Processor | undefined;

/** The first measurement of at most `enoughMs`, or the least of several, in milliseconds of an undisturbed processor. */
export async function leastMeasured<T extends { readonly ms: number }>(
  enoughMs: number,
  measure: () => T | Promise<T>,
  processor = (ownProcessor ??= new Processor()),
): Promise<T> {
  let best = await measure();
  for (let round = 0; round < ROUNDS && best.ms > enoughMs; round += 1) {
    const slow = processor.slowness();
    for (let tries = 0; tries < TRIES && best.ms > enoughMs; tries += 1) {
      const measured = await measure();
      const ms = measured.ms / slow;
      if (ms < best.ms) best = { ...measured, ms };
    }
  }
  return best;
}

function presentParseMs(): number {
  let least = Infinity;
  for (let tries = 0; tries < CALIBRATION_TRIES; tries += 1) {
    const elapsedMs = startProcessorTime();
    for (let count = 0; count < PARSES; count += 1) JSON.parse(TEXT);
    least = Math.min(least, elapsedMs() / PARSES);
  }
  return least;
}
