import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { counted, type Counted } from './effects.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 5, 8, 0, seconds));
const instants = fc.array(fc.integer({ min: 0, max: 300 }).map(at), { minLength: 1, maxLength: 40 });
const counts = fc.integer({ min: 2, max: 10 });

/** Counts occurrences one after the other, up to the one that starts the flow. */
function untilReached(count: number, withinMs: number, moments: readonly Date[]) {
  let state: Counted = { kept: [], reached: false };
  let occurrences = 0;
  for (const moment of moments) {
    state = counted(state.kept, { count, withinMs }, moment);
    occurrences += 1;
    if (state.reached) break;
  }
  return { ...state, occurrences };
}

describe('counting the occurrences of an alert that is held by frequency (P6)', () => {
  it('reaches the count, for occurrences in order, with the first that is the count-th within the duration', () => {
    const within = fc.integer({ min: 1, max: 120 });
    fc.assert(
      fc.property(counts, within, instants, (count, seconds, moments) => {
        const inOrder = moments.toSorted((a, b) => a.getTime() - b.getTime());
        const isReached = (moment: Date, index: number) => {
          const first = inOrder[index - count + 1];
          return first !== undefined && moment.getTime() - first.getTime() <= seconds * 1_000;
        };
        const expected = inOrder.findIndex(isReached);
        const { reached, occurrences } = untilReached(count, seconds * 1_000, inOrder);
        expect(reached ? occurrences - 1 : -1).toBe(expected);
      }),
    );
  });

  it('keeps at most count moments, earliest first', () => {
    fc.assert(
      fc.property(counts, fc.nat(100_000), instants, (count, withinMs, moments) => {
        let kept: readonly Date[] = [];
        for (const moment of moments) {
          kept = counted(kept, { count, withinMs }, moment).kept;
          expect(kept.length).toBeLessThanOrEqual(count);
          expect(kept).toEqual(kept.toSorted((a, b) => a.getTime() - b.getTime()));
        }
      }),
    );
  });

  it('goes by the moments of acceptance, in whatever order the occurrences are processed', () => {
    const [first, second, third] = [at(0), at(10), at(20)];
    const three = { count: 3, withinMs: 20_000 };
    expect(counted([first, third], three, second)).toEqual({ kept: [first, second, third], reached: true });
    expect(counted([second, third], three, first)).toEqual({ kept: [first, second, third], reached: true });
  });

  it('includes the end of the duration: an alert that was accepted a millisecond later is outside', () => {
    const two = { count: 2, withinMs: 10_000 };
    expect(counted([at(0)], two, at(10)).reached).toBe(true);
    expect(counted([at(0)], two, new Date(at(10).getTime() + 1))).toEqual({
      kept: [at(0), new Date(at(10).getTime() + 1)],
      reached: false,
    });
  });

  it('lets an early occurrence that is processed late complete the count', () => {
    expect(counted([at(0), at(1), at(100)], { count: 3, withinMs: 2_000 }, at(2)).reached).toBe(true);
  });
});
