import { describe, expect, it } from '@jest/globals';
import { ManualClock, systemClock } from './index.ts';

const start = new Date('2026-01-01T00:00:00Z');

describe('ManualClock', () => {
  it('stands still until it is moved', () => {
    const clock = new ManualClock(start);
    expect(clock.now()).toEqual(start);
    clock.advance(1_500);
    expect(clock.now()).toEqual(new Date('2026-01-01T00:00:01.500Z'));
  });

  it('calls its listeners when it is moved, until they are removed', () => {
    const clock = new ManualClock(start);
    let calls = 0;
    const leave = clock.whenMoved(() => (calls += 1));
    clock.advance(1);
    leave();
    clock.advance(1);
    expect(calls).toBe(1);
  });

  it('does not go back', () => {
    const clock = new ManualClock(start);
    expect(() => {
      clock.moveTo(new Date(start.getTime() - 1));
    }).toThrow(RangeError);
    expect(clock.now()).toEqual(start);
  });

  it('hands out instants that cannot be used to turn it', () => {
    const clock = new ManualClock(start);
    clock.now().setFullYear(1999);
    expect(clock.now()).toEqual(start);
  });
});

describe('systemClock', () => {
  it('follows the machine', () => {
    const before = Date.now();
    expect(systemClock.now().getTime()).toBeGreaterThanOrEqual(before);
  });
});
