import { LimitedFaults, SeededChoices } from './scheduler/choices.ts';
import type { Simulation } from './world.ts';

export interface ShrinkOptions {
  /** The faults to begin with; undefined: all of the seed. */
  readonly faults: ReadonlySet<number> | undefined;
  readonly onProgress: (faults: number) => void;
}

/**
 * Leaves out faults of a seed as long as the run breaks a promise: all of them, then halves, quarters, down to single ones. Resolves with
 * the rest, with which the run breaks one; undefined where the seed keeps every promise.
 */
export async function shrinkFaults(
  simulate: Simulation,
  seed: number,
  { faults, onProgress }: ShrinkOptions,
): Promise<ReadonlySet<number> | undefined> {
  const run = async (kept: ReadonlySet<number> | undefined) => {
    const choices = new LimitedFaults(new SeededChoices(seed), kept);
    const { violations } = await simulate(choices);
    return { isBroken: violations.length > 0, happened: choices.happened };
  };
  const first = await run(faults);
  if (!first.isBroken) return undefined;
  let kept = first.happened;
  for (let size = kept.length; size >= 1; size = Math.floor(size / 2)) {
    for (let end = kept.length; end > 0; end = Math.min(end - size, kept.length)) {
      const fewer = kept.toSpliced(Math.max(0, end - size), Math.min(size, end));
      const { happened, isBroken } = await run(new Set(fewer));
      if (!isBroken) continue;
      kept = happened;
      onProgress(kept.length);
    }
  }
  return new Set(kept);
}
