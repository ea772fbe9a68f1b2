import { expect, it } from '@jest/globals';
import { WatchContext } from '../testing/watch-context.ts';
import { watchOverdue } from './overdue.ts';

it('shows for how long the oldest has been due, 0 when nothing is, and counts on while it can not be read', async () => {
  const context = new WatchContext(5_000);
  const shown = () => context.shown('tocsin_overdue_age_seconds{work="runs"');
  let oldest: () => Promise<Date | undefined> = () => Promise.resolve(new Date('2026-03-01T07:59:20Z'));
  watchOverdue(context, 'runs', () => oldest());

  expect(await shown()).toEqual(['40']);
  oldest = () => Promise.resolve(new Date('2026-03-01T08:00:20Z'));
  expect(await shown()).toEqual(['0']);
  oldest = () => Promise.reject(new Error('The database is unavailable.'));
  expect(await shown()).toEqual(['0']);
  context.clock.advance(60_000);
  expect(await shown()).toEqual(['40']);
  oldest = () => Promise.resolve(undefined);
  expect(await shown()).toEqual(['0']);
  await context.end();
});
