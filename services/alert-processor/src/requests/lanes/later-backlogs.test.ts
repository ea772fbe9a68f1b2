import { describe, expect, it } from '@jest/globals';
import { LaterBacklogs } from './later-backlogs.ts';

describe('the backlog of the later stages', () => {
  it('is the sum of the slowest partition of each consumer, of the last two seconds', () => {
    let nowMs = 0;
    const later = new LaterBacklogs(() => nowMs);
    expect(later.waitMs()).toBe(0);
    const report = (consumer: string, partition: number, ageMs: number): void => {
      later.report(`${consumer}/${String(partition)}`, { consumer, records: 5, ageMs });
    };
    report('scheduling', 0, 300);
    report('scheduling', 1, 200);
    nowMs = 1_500;
    report('notifier', 0, 500);
    expect(later.waitMs()).toBe(800);
    nowMs = 2_500;
    expect(later.waitMs()).toBe(500);
    report('notifier', 0, 0);
    expect(later.waitMs()).toBe(0);
  });
});
