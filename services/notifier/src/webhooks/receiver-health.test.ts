import { describe, expect, it } from '@jest/globals';
import { NOW } from '../testing/webhook-samples.ts';
import { allowedCalls, healthAfter, HEALTHY, type ReceiverHealth } from './receiver-health.ts';

const failing = (times: number): ReceiverHealth =>
  Array.from({ length: times }).reduce<ReceiverHealth>(
    (health) => healthAfter(health, health, 'temporary', NOW, 0),
    HEALTHY,
  );

describe('a receiver', () => {
  it('is not called for a while after three failures in a row, and then by one call at a time', () => {
    expect(failing(2).pausedUntil).toBeUndefined();
    expect(allowedCalls(failing(2), 8)).toBe(8);
    expect(failing(3).pausedUntil).toEqual(new Date(NOW.getTime() + 4_000));
    expect(allowedCalls(failing(3), 8)).toBe(1);
    expect(failing(30).pausedUntil).toEqual(new Date(NOW.getTime() + 30_000));
  });

  it('counts one failure for concurrent calls', () => {
    const before = failing(1);
    const after = healthAfter(before, before, 'unknown', NOW, 0);
    expect(healthAfter(after, before, 'unknown', NOW, 0)).toBe(after);
  });

  it.each(['accepted', 'permanent'] as const)('is healthy after an answer that is %s', (kind) => {
    expect(healthAfter(failing(5), failing(1), kind, NOW, 0)).toBe(HEALTHY);
  });
});
