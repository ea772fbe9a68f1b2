import { describe, expect, it, jest } from '@jest/globals';
import { Alarm } from './alarm.ts';

const NEVER_MS = 1e6;

describe('Alarm', () => {
  it('ends a wait when it is rung', async () => {
    const alarm = new Alarm();
    const waiting = alarm.wait(NEVER_MS);
    alarm.ring();
    await expect(waiting).resolves.toBeUndefined();
  });

  it('does not miss a ring that comes before the wait', async () => {
    const alarm = new Alarm();
    alarm.ring();
    await expect(alarm.wait(NEVER_MS)).resolves.toBeUndefined();
  });

  it('does not wait at all where there is no time to wait for, and has heard the rings before', async () => {
    jest.useFakeTimers();
    const alarm = new Alarm();
    alarm.ring();
    await alarm.wait(0);
    await alarm.wait(0);
    const waiting = alarm.wait(NEVER_MS);
    expect(jest.getTimerCount()).toBe(1);
    alarm.ring();
    await waiting;
    jest.useRealTimers();
  });
});
