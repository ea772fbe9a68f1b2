import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { goesAt, hourOf, limitAt } from './retention.ts';

const instant = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
const days = fc.integer({ min: 1, max: 3_650 });

describe('documents that are kept for some days', () => {
  it('is removed at the predicted instant, and not a millisecond before', () => {
    fc.assert(
      fc.property(instant, days, (from, period) => {
        const at = goesAt(from, period);
        expect(limitAt(at, period) >= from).toBe(true);
        expect(limitAt(new Date(at.getTime() - 1), period) >= from).toBe(false);
      }),
    );
  });

  it('is removed on a full hour, less than an hour after its days are over', () => {
    fc.assert(
      fc.property(instant, days, (from, period) => {
        const at = goesAt(from, period);
        expect(hourOf(at)).toEqual(at);
        const lateMs = at.getTime() - from.getTime() - period * 24 * 3_600_000;
        expect(lateMs >= 0 && lateMs < 3_600_000).toBe(true);
      }),
    );
  });
});
