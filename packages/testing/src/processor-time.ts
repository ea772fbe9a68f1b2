/** Several, as the collector of garbage and the compiler come in between. */
const TRIES = 10;
/** A processor may be slower for a while than it was when its slowness was measured. */
const ROUNDS = 3;
/** Processor time is counted in steps of some milliseconds, so that one calibration alone may take none. */
const CALIBRATIONS = 5;
/** How long one calibration takes where nothing slows the processor down, in milliseconds. */
const USUAL_CALIBRATION_MS = 4;

const TEXT = JSON.stringify(Array.from({ length: 10_000 }, (_, index) => ({ index, name: 'a name' })));

/** Begins to count; the function that it returns gives the milliseconds since then that this thread had the processor, at most. */
export function startProcessorTime(): () => number {
  const [beganAt, before] = [performance.now(), process.threadCpuUsage()];
  return () => {
    const { system, user } = process.threadCpuUsage(before);
    // The counter moves in steps, so it may be ahead of the clock, which counts what other threads took as well.
    return Math.min((system + user) / 1_000, performance.now() - beganAt);
  };
}

/**
 * The first measurement that is at most `enoughMs`, or the least of several, as of a processor that nothing slows down.
 */
export async function leastMeasured<T extends { readonly ms: number }>(
  enoughMs: number,
  measure: () => T | Promise<T>,
): Promise<T> {
  let best = await measure();
  for (let round = 0; round < ROUNDS && best.ms > enoughMs; round += 1) {
    const slow = slowness();
    for (let tries = 0; tries < TRIES && best.ms > enoughMs; tries += 1) {
      const measured = await measure();
      const ms = measured.ms / slow;
      if (ms < best.ms) best = { ...measured, ms };
    }
  }
  return best;
}

/** How many times as long everything takes as where nothing slows the processor down, at least 1. */
function slowness(): number {
  let least = Infinity;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const ms = startProcessorTime();
    for (let count = 0; count < CALIBRATIONS; count += 1) JSON.parse(TEXT);
    least = Math.min(least, ms() / CALIBRATIONS);
  }
  return Math.max(1, least / USUAL_CALIBRATION_MS);
}
