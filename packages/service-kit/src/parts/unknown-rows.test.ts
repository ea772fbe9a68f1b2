import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import { createLogger, Metrics } from '@tocsin/observability';
import { Lifecycle } from '../lifecycle.ts';
import { watchUnknownRows } from './unknown-rows.ts';

const LOOK_MS = 30_000;

let lifecycle: Lifecycle;

beforeEach(() => {
  jest.useFakeTimers();
  lifecycle = new Lifecycle();
});

afterEach(async () => {
  await lifecycle.stop();
  jest.useRealTimers();
});

it('shows how many rows of each kind are left, 0 when they are gone, and logs each new kind once', async () => {
  const metrics = new Metrics('scheduling', { processMetrics: false });
  const lines: unknown[] = [];
  const warn = (fields: object, message: string): void => {
    lines.push({ ...fields, message });
  };
  const logger = Object.assign(createLogger('scheduling', 'silent'), { warn });
  let found: ReadonlyMap<string, number> = new Map();
  const shown = async () => {
    await jest.advanceTimersByTimeAsync(LOOK_MS);
    return ((await metrics.text()).body.match(/^tocsin_rows_unknown.*/gm) ?? []).map((line) => line.split(' ')[1]);
  };
  const clock = new ManualClock(new Date('2026-03-01T08:00:00Z'));
  await watchUnknownRows({ clock, lifecycle, logger, metrics }, 'timers', () => Promise.resolve(found));

  expect(await shown()).toEqual([]);
  found = new Map([['renotify', 2]]);
  expect(await shown()).toEqual(['2']);
  found = new Map([['renotify', 3]]);
  expect(await shown()).toEqual(['3']);
  expect(lines).toEqual([
    { collection: 'timers', rows: { renotify: 2 }, message: 'rows wait for a newer release that knows them' },
  ]);
  found = new Map();
  expect(await shown()).toEqual(['0']);
});
