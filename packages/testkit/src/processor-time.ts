/** Measurements in one round: several, because garbage collection and compilation make some of them longer. */
const TRIES = 10;
/** Rounds, each with its own calibration: a processor may become slower after it was calibrated. */
const ROUNDS = 3;
/** Processor time is counted in steps of some milliseconds, so that one calibration alone may take none. */
const CALIBRATIONS = 5;
/** How long one calibration takes where nothing slows the processor down, in milliseconds. */
const USUAL_CALIBRATION_MS = 4;

const TEXT = JSON.stringify(Array.from({ length: 10_000 }, (_, index) => ({ index, name: 'a name' })));

/** Returns a function that returns how long this thread has had the processor since this call, in milliseconds. */
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

/** By what factor the processor is slower now than where nothing slows it down; at least 1. */
function slowness(): number {
  let least = Infinity;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const elapsedMs = startProcessorTime();
    for (let count = 0; count < CALIBRATIONS; count += 1) JSON.parse(TEXT);
    least = Math.min(least, elapsedMs() / CALIBRATIONS);
  }
  return Math.max(1, least / USUAL_CALIBRATION_MS);
}
