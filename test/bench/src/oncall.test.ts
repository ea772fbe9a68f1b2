import { describe, expect, test } from '@jest/globals';
import { onCallResult, type OnCallMeasurements } from './oncall-report.ts';
import { benchSchedule, benchUsers, dayWalk, type BenchSchedule } from './oncall-schedules.ts';

describe('the schedules of the on-call bench', () => {
  test('are all different, and every participant is a user', () => {
    const schedules = Array.from({ length: 100 }, (_, index) => benchSchedule(index));
    expect(new Set(schedules.map(({ name }) => name)).size).toBe(100);
    const names = schedules.flatMap(({ rotations }) => rotations.flatMap(({ participants }) => participants));
    expect(names.filter(({ username }) => !benchUsers().includes(username))).toEqual([]);
  });
});

describe('the day-walk', () => {
  const user = (username: string) => ({ type: 'user' as const, username });
  const schedule: BenchSchedule = {
    name: 'Ops',
    timezone: 'Europe/Paris',
    rotations: [
      { type: 'daily', startDate: '2026-03-28T08:00:00Z', participants: [user('ada'), user('bob')] },
      { type: 'weekly', startDate: '2026-03-28T08:00:00Z', participants: [user('bob'), user('eve')] },
    ],
  };

  test.each([
    ['2026-03-28T08:00:00Z', ['ada', 'bob']],
    // The clocks went forward: 09:00 in Paris comes an hour earlier.
    ['2026-03-29T06:59:59Z', ['ada', 'bob']],
    ['2026-03-29T07:00:00Z', ['bob']],
    ['2026-04-04T07:00:00Z', ['bob', 'eve']],
  ])('at %s finds %j, each once', (at, names) => {
    expect(dayWalk(schedule, new Date(at))).toEqual(names);
  });
});

describe('the on-call bench', () => {
  const good: OnCallMeasurements = {
    schedules: 5_000,
    allMs: [290, 100, 120],
    oneMs: [4, 1, 2],
    dayWalkMs: 12_000,
    disagreements: 0,
  };

  test('shows how much longer the naive way takes', () => {
    const { table, kept } = onCallResult(good);
    expect(kept).toBe(true);
    expect(table).toMatch(/on-calls of 5000 schedules +120 ms +290 ms/);
    expect(table).toMatch(/day-walk \/ service +100\.0/);
    expect(table).toContain('within the limits');
  });

  test.each([
    ['all take too long', { allMs: [100, 120, 300] }],
    ['one takes too long', { oneMs: [1, 5, 5] }],
    ['the naive way finds another user', { disagreements: 1 }],
  ])('is not content when %s', (_, worse) => {
    const { table, kept } = onCallResult({ ...good, ...worse });
    expect([kept, table.includes('OVER the limits')]).toEqual([false, true]);
  });
});
