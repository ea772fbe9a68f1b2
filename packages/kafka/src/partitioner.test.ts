import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { partitionOf } from './partitioner.ts';

describe('partitionOf', () => {
  it('agrees with the Java client', () => {
    // murmur2 of these keys, as Kafka's own UtilsTest states it: -973932308 and -790332482.
    expect(partitionOf('21', 1_000)).toBe((-973_932_308 & 0x7f_ff_ff_ff) % 1_000);
    expect(partitionOf('foobar', 1_000)).toBe((-790_332_482 & 0x7f_ff_ff_ff) % 1_000);
  });

  it('always names a partition that exists, the same for the same key', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 200 }), (key, partitions) => {
        const partition = partitionOf(key, partitions);
        expect(partition).toBeGreaterThanOrEqual(0);
        expect(partition).toBeLessThan(partitions);
        expect(partitionOf(key, partitions)).toBe(partition);
      }),
    );
  });
});
