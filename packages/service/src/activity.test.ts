import { describe, expect, it } from '@jest/globals';
import { Activity } from './activity.ts';

describe('Activity', () => {
  it('names what is under way and how much', async () => {
    const activity = new Activity();
    activity.add('outbox', { pending: () => 2 });
    activity.add('publisher', { pending: () => Promise.resolve(0) });
    expect(await activity.busy()).toEqual(new Map([['outbox', 2]]));
    expect(await Promise.all(['outbox', 'publisher', 'replicas'].map((name) => activity.pending(name)))).toEqual([
      2, 0, 0,
    ]);
  });

  it('knows the earliest instant at which something falls due', async () => {
    const activity = new Activity();
    expect(await activity.nextDueAt()).toBeUndefined();
    const due = (at: string | undefined) => ({
      pending: () => 0,
      nextDueAt: () => Promise.resolve(at === undefined ? undefined : new Date(at)),
    });
    activity.add('retention', due(undefined));
    activity.add('steps', due('2026-01-01T00:05:00Z'));
    activity.add('rules', due('2026-01-01T00:01:00Z'));
    expect(await activity.nextDueAt()).toEqual(new Date('2026-01-01T00:01:00Z'));
  });
});
