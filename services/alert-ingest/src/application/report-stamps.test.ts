import { describe, expect, it } from '@jest/globals';
import type { StampReport } from '@tocsin/contracts';
import { StampBook } from '@tocsin/messaging';
import { reportStamps } from './report-stamps.ts';

function keeping() {
  const kept: StampReport[] = [];
  const state = { away: false };
  const keep = (report: StampReport) => {
    if (state.away) return Promise.reject(new Error('alert-processor is away'));
    kept.push(report);
    return Promise.resolve();
  };
  return { kept, state, keep };
}

describe('the report of what a process owes', () => {
  it('is not made before anything was written', async () => {
    const keeper = keeping();
    await reportStamps(new StampBook(), keeper);
    expect(keeper.kept).toEqual([]);
  });

  it('says again what nobody could keep, and once what was kept', async () => {
    const [book, keeper] = [new StampBook(), keeping()];
    book.begin([0, 0]).failed();
    keeper.state.away = true;
    await expect(reportStamps(book, keeper)).rejects.toThrow('away');
    book.begin([0]).written(() => true);
    keeper.state.away = false;
    await reportStamps(book, keeper);
    await reportStamps(book, keeper);
    expect(keeper.kept.map(({ partitions }) => partitions)).toEqual([
      [{ partition: 0, through: 3, givenUp: [[1, 2]] }],
      [{ partition: 0, through: 3, givenUp: [] }],
    ]);
  });
});
