import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isEqualInConstantTime } from './constant-time.ts';

describe('isEqualInConstantTime', () => {
  it('says whether two texts have the same bytes, whatever their lengths', () => {
    const text = fc.string({ maxLength: 3, unit: fc.constantFrom('a', 'b', 'é') });
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(isEqualInConstantTime(Buffer.from(one), Buffer.from(other))).toBe(one === other);
      }),
    );
  });
});
