import { expect, it } from '@jest/globals';
import { WatchContext } from '../testing/watch-context.ts';
import { watchUnknownRows } from './unknown-rows.ts';

it('shows how many rows of each kind are left, 0 when they are gone, and logs each new kind once', async () => {
  const context = new WatchContext(30_000);
  const shown = () => context.shown('tocsin_rows_unknown');
  let found: ReadonlyMap<string, number> = new Map();
  watchUnknownRows(context, 'timers', () => Promise.resolve(found));

  expect(await shown()).toEqual([]);
  found = new Map([['renotify', 2]]);
  expect(await shown()).toEqual(['2']);
  found = new Map([['renotify', 3]]);
  expect(await shown()).toEqual(['3']);
  expect(context.warnings).toEqual([
    { collection: 'timers', rows: { renotify: 2 }, message: 'Rows wait for a newer release that knows them.' },
  ]);
  found = new Map();
  expect(await shown()).toEqual(['0']);
  await context.end();
});
