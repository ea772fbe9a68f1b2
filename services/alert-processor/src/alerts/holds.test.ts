import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Hold } from './alert.ts';
import { afterOccurrence, heldBy } from './create.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 5, 8, 0, seconds));

describe('a hold by value (P6)', () => {
  it('is over with exactly the count-th occurrence, whenever they were accepted', () => {
    const counts = fc.integer({ min: 2, max: 10 });
    const moments = fc.array(fc.integer({ min: 0, max: 300 }).map(at), { maxLength: 40 });
    fc.assert(
      fc.property(counts, moments, (count, repeats) => {
        let hold: Hold | undefined = heldBy(
          { kind: 'deduplication', policy: '[Often]', count, withinMs: undefined },
          at(0),
        );
        const overWith = repeats.findIndex((moment, index) => {
          hold = afterOccurrence({ count: index + 1, hold }, moment);
          return hold?.isOver === true;
        });
        expect(overWith).toBe(repeats.length < count - 1 ? -1 : count - 2);
      }),
    );
  });
});
