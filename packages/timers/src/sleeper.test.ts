import { describe, expect, it, jest } from '@jest/globals';
import { Sleeper } from './sleeper.ts';

const NEVER_MS = 1e6;

describe('Sleeper', () => {
  it('ends its sleep when it is woken', async () => {
    const sleeper = new Sleeper();
    const waiting = sleeper.sleep(NEVER_MS);
    sleeper.wake();
    await expect(waiting).resolves.toBeUndefined();
  });

  it('does not miss a wake-up that comes before the sleep', async () => {
    const sleeper = new Sleeper();
    sleeper.wake();
    await expect(sleeper.sleep(NEVER_MS)).resolves.toBeUndefined();
  });

  it('does not sleep at all for 0 ms, and forgets the earlier wake-ups', async () => {
    jest.useFakeTimers();
    const sleeper = new Sleeper();
    sleeper.wake();
    await sleeper.sleep(0);
    await sleeper.sleep(0);
    const waiting = sleeper.sleep(NEVER_MS);
    expect(jest.getTimerCount()).toBe(1);
    sleeper.wake();
    await waiting;
    jest.useRealTimers();
  });
});
