import { describe, expect, it } from '@jest/globals';
import { ABANDONED_AFTER_MS, SWEEP_EVERY_MS } from './saga-task.ts';

describe('an abandoned change of a team', () => {
  it('is continued early enough to end within 15 s', () => {
    expect(ABANDONED_AFTER_MS + SWEEP_EVERY_MS).toBeLessThanOrEqual(13_000);
  });
});
