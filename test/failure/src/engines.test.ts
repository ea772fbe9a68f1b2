import { expect, it } from '@jest/globals';
import { areTopicsInSync } from './engines.ts';

const topic = (...replicasInSync: readonly number[][]) => ({ partitions: replicasInSync.map((isr) => ({ isr })) });

it('topics are in sync where each partition of each of them has all replicas', () => {
  const whole = topic([1, 2, 3], [3, 1, 2]);
  expect(areTopicsInSync([whole, topic([2, 3, 1])], 3)).toBe(true);
  expect(areTopicsInSync([whole, whole, topic([1, 2, 3], [1, 2])], 3)).toBe(false);
  expect(areTopicsInSync([], 3)).toBe(false);
});
