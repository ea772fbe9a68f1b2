import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { comparePositions, formatPosition, parsePosition, positionAfter } from './entry.ts';

const positions = fc.record({ ms: fc.nat(4_000_000_000_000), nanos: fc.nat(Number.MAX_SAFE_INTEGER) });
const instants = fc.date({ min: new Date(0), max: new Date('2090-01-01'), noInvalidDate: true });

describe('a position', () => {
  it('survives formatting and parsing', () => {
    fc.assert(
      fc.property(positions, (position) => {
        expect(parsePosition(formatPosition(position))).toEqual(position);
      }),
    );
  });

  it('is after the previous one, whatever the instants', () => {
    fc.assert(
      fc.property(positions, instants, (previous, at) => {
        fc.pre(previous.nanos < Number.MAX_SAFE_INTEGER);
        expect(comparePositions(previous, positionAfter(previous, at))).toBeLessThan(0);
      }),
    );
  });

  it.each(['', 'x', '1', '1_', '_1', '1_2_3', '-1_0', '99999999999999_0'])('cannot be parsed from %j', (cursor) => {
    expect(parsePosition(cursor)).toBeUndefined();
  });
});
