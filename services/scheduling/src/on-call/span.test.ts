import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NORMAL, runs } from '../testing/random-schedules.ts';
import { covers, firstEndingAfter, stack, type Span } from './span.ts';

interface Piece extends Span {
  readonly name: number;
}

const aStack = fc
  .array(fc.record({ from: fc.integer({ min: 0, max: 30 }), length: fc.integer({ min: 1, max: 15 }) }), {
    maxLength: 12,
  })
  .map((drawn) => drawn.map(({ from, length }, name): Piece => ({ from, until: from + length, name })));
const INSTANTS = Array.from({ length: 50 }, (_, instant) => instant);

describe('stacked spans', () => {
  it('show at every instant the first that covers it, in order and in as few pieces as possible', () => {
    fc.assert(
      fc.property(aStack, (pieces) => {
        const seen = stack(pieces);
        for (const instant of INSTANTS) {
          const shown = seen.filter((piece) => covers(piece, instant)).map(({ name }) => name);
          expect(shown).toEqual(
            pieces
              .filter((piece) => covers(piece, instant))
              .slice(0, 1)
              .map(({ name }) => name),
          );
        }
        const pairs = seen.slice(1).map((piece, place) => [seen[place], piece] as const);
        expect(pairs.filter(([before, { from }]) => (before?.until ?? Infinity) > from)).toEqual([]);
        const torn = pairs.filter(([before, { from, name }]) => before?.until === from && before.name === name);
        expect(torn).toEqual([]);
      }),
      runs(NORMAL),
    );
  });
});

describe('the first span that ends after an instant', () => {
  it('is found in the place where a search from the beginning finds it', () => {
    fc.assert(
      fc.property(aStack, fc.constantFrom(...INSTANTS), (pieces, instant) => {
        const spans = stack(pieces);
        const place = spans.findIndex(({ until }) => until > instant);
        expect(firstEndingAfter(spans, instant)).toBe(place < 0 ? spans.length : place);
      }),
      runs(NORMAL),
    );
  });
});
