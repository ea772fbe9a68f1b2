import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import { createLogger, Metrics } from '@tocsin/observability';
import { Lifecycle } from '../lifecycle.ts';
import { watchOverdue } from './overdue.ts';

const LOOK_MS = 5_000;

let lifecycle: Lifecycle;

beforeEach(() => {
  jest.useFakeTimers();
  lifecycle = new Lifecycle();
});

afterEach(async () => {
  await lifecycle.stop();
  jest.useRealTimers();
});

it('shows for how long the oldest has been due, 0 when nothing is, and counts on while nobody can say', async () => {
  const clock = new ManualClock(new Date('2026-03-01T08:00:00Z'));
  const metrics = new Metrics('scheduling', { processMetrics: false });
  const shown = async () => {
    await jest.advanceTimersByTimeAsync(LOOK_MS);
    return /^tocsin_overdue_age_seconds\{work="rule_timers".*/m.exec((await metrics.text()).body)?.[0].split(' ')[1];
  };
  let oldest: () => Promise<Date | undefined> = () => Promise.resolve(new Date('2026-03-01T07:59:20Z'));
  const context = { clock, lifecycle, logger: createLogger('scheduling', 'silent'), metrics };
  await watchOverdue(context, 'rule_timers', () => oldest());

  expect(await shown()).toBe('40');
  oldest = () => Promise.resolve(new Date('2026-03-01T08:00:20Z'));
  expect(await shown()).toBe('0');
  oldest = () => Promise.reject(new Error('The database is away.'));
  expect(await shown()).toBe('0');
  clock.advance(60_000);
  expect(await shown()).toBe('40');
  oldest = () => Promise.resolve(undefined);
  expect(await shown()).toBe('0');
});
