import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { slotsFor } from './send-concurrency.ts';

const METHODS = ['email', 'sms', 'voice', 'mobile'] as const;
type Method = (typeof METHODS)[number];

/** Lets methods begin messages, one at a time, as often as there is a slot for them; answers how many each has under way. */
function filled(order: readonly Method[], size: number, methods: readonly Method[] = METHODS) {
  const underWay = new Map<Method, number>();
  for (const method of order) {
    const free = size - [...underWay.values()].reduce((sum, count) => sum + count, 0);
    if (slotsFor(method, { free, methods, underWay, size }) > 0) underWay.set(method, (underWay.get(method) ?? 0) + 1);
  }
  return underWay;
}

describe('the slots of all methods', () => {
  it('are all for the one method that there is', () => {
    expect(filled(Array<Method>(99).fill('email'), 50, ['email']).get('email')).toBe(50);
  });

  it('are reserved in part for every other method, however many are flooded', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...METHODS),
        fc.array(fc.constantFrom(...METHODS), { maxLength: 300 }),
        fc.integer({ min: 8, max: 200 }),
        (last, flood, size) => {
          const order = flood.filter((method) => method !== last);
          const kept = Math.floor(size / 8);
          const all = filled([...order, ...Array<Method>(kept).fill(last)], size);
          expect(all.get(last)).toBe(kept);
          expect([...all.values()].reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(size);
        },
      ),
    );
  });

  it('are used up to the half that is reserved for others', () => {
    expect(filled(Array<Method>(99).fill('sms'), 50).get('sms')).toBe(32);
  });
});
