import { describe, expect, it } from '@jest/globals';
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

  it('lets a wait go on that ends early enough by itself', async () => {
    const alarm = new Alarm();
    let ended = false;
    const waiting = alarm.wait(NEVER_MS).then(() => (ended = true));
    alarm.ringIfWaitingBeyond(2 * NEVER_MS);
    await Promise.resolve();
    expect(ended).toBe(false);
    alarm.ringIfWaitingBeyond(NEVER_MS / 2);
    await waiting;
    expect(ended).toBe(true);
  });
});
