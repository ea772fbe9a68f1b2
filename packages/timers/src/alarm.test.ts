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
});
