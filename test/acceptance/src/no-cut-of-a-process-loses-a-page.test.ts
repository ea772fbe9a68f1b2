import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { casesOf } from '@tocsin/testkit';
import { runCell } from './crash-matrix/cell.ts';
import { pointOf, POINTS, type Manner, type Point } from './crash-matrix/points.ts';
import { tableOf, type Row } from './crash-matrix/table.ts';
import { startWatchedSystem, type WatchedSystem } from './crash-matrix/watched-system.ts';

type Cell = readonly [point: Point, manner: Manner];

/** Where the most is at stake for each: what is decided and not published, what is published and not decided, and all that with an heir. */
const USUAL: readonly Cell[] = [
  [pointOf('alert-processor', 'before the event is published'), 'killed'],
  [pointOf('scheduling', 'after the page is published'), 'frozen'],
  [pointOf('notifier', 'after the mail is sent'), 'killed'],
  [pointOf('notifier', 'before the result of the mail is written'), 'frozen'],
];
const ALL: readonly Cell[] = POINTS.flatMap((point) =>
  (['killed', 'frozen'] as const).map((manner): Cell => [point, manner]),
);
const CELLS = casesOf({ usual: USUAL, deep: ALL }).map(
  ([point, manner], index) => [`${point.asked.victim} is ${manner} ${point.named}`, point, manner, index] as const,
);

let system: WatchedSystem;
const rows: Row[] = [];

beforeAll(async () => {
  system = await startWatchedSystem();
});

afterAll(async () => {
  process.stdout.write(`\n${tableOf(rows)}\n`);
  await system.stop();
});

describe('no page is missing, none goes to another user, none comes twice but of an interrupted send, and the ledger balances', () => {
  it.each(CELLS)('where %s', async (_, point, manner, cell) => {
    const { row, ...wrong } = await runCell(system, { cell, manner, point });
    rows.push(row);
    expect(wrong).toEqual({ missing: [], strangers: [], unexplained: [], unsettled: [] });
    expect(row.duplicates).toBeLessThanOrEqual(row.cutSends);
    expect(row.ledgerBalances).toBe(true);
  });
});
