import { describe, expect, it } from '@jest/globals';
import { NumberLimits } from './number-limits.ts';

const times = <T>(count: number, ask: () => T): readonly T[] => Array.from({ length: count }, ask);

describe('the limits of one number', () => {
  it('are 20 replies at once and 10 a minute, whatever others send', () => {
    let now = 0;
    const limits = new NumberLimits(() => now);
    expect(times(21, () => limits.mayReply('1555')).filter(Boolean)).toHaveLength(20);
    expect(limits.mayReply('1556')).toBe(true);
    now = 60_000;
    expect(times(11, () => limits.mayReply('1555')).filter(Boolean)).toHaveLength(10);
  });

  it('are two hints at once, and one in ten minutes', () => {
    let now = 0;
    const limits = new NumberLimits(() => now);
    expect(times(5, () => limits.mayGetHint('1555')).filter(Boolean)).toHaveLength(2);
    now = 600_000;
    expect(times(5, () => limits.mayGetHint('1555')).filter(Boolean)).toHaveLength(1);
  });
});
