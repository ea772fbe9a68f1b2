import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ChoiceSource } from './scheduler/choices.ts';
import { shrinkFaults } from './shrink.ts';
import type { SimulationResult } from './world.ts';

const CHOICES = 40;

/** A run whose faults are at these of its choices. */
function faultsOf(choices: ChoiceSource): readonly number[] {
  const values = Array.from({ length: CHOICES }, () => choices.choose('fault', 6));
  return values.flatMap((value, at) => (value < 2 ? [at] : []));
}

const resultOf = (isBroken: boolean): SimulationResult => ({
  violations: isBroken ? ['broken'] : [],
  log: [],
  done: 0,
});

const seeds = fc.integer({ min: 0, max: 1_000_000 });

it('of the faults of a seed those stay without which it keeps its promises', async () => {
  await fc.assert(
    fc.asyncProperty(seeds, fc.array(fc.nat(CHOICES - 1), { maxLength: 3 }), async (seed, wanted) => {
      let needed: readonly number[] | undefined;
      let last: readonly number[] = [];
      const simulate = (choices: ChoiceSource): Promise<SimulationResult> => {
        const happened = faultsOf(choices);
        needed ??= happened.filter((at) => wanted.includes(at));
        const isBroken = needed.every((at) => happened.includes(at));
        if (isBroken) last = happened;
        return Promise.resolve(resultOf(isBroken));
      };
      const progress: number[] = [];
      const rest = await shrinkFaults(simulate, seed, {
        faults: undefined,
        onProgress: (count) => void progress.push(count),
      });
      expect(last).toEqual(needed);
      expect(rest?.size).toBe(needed?.length);
      expect(progress).toEqual(progress.toSorted((one, other) => other - one));
    }),
  );
});

it('a seed that keeps every promise has no such faults', async () => {
  const simulate = () => Promise.resolve(resultOf(false));
  const options = { faults: undefined, onProgress: () => undefined };
  expect(await shrinkFaults(simulate, 1, options)).toBeUndefined();
});
