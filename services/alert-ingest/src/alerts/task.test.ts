import { describe, expect, it } from '@jest/globals';
import type { SequenceReport } from '@tocsin/events';
import { SequenceCounter } from '@tocsin/kafka';
import { reportSequences } from './task.ts';

function openReports() {
  const stored: SequenceReport[] = [];
  const state = { isUnavailable: false };
  const store = (report: SequenceReport) => {
    if (state.isUnavailable) return Promise.reject(new Error('alert-processor is unavailable'));
    stored.push(report);
    return Promise.resolve();
  };
  return { stored, state, store };
}

describe('the report of command numbers', () => {
  it('is not made before anything was written', async () => {
    const reports = openReports();
    await reportSequences(new SequenceCounter(), reports.store);
    expect(reports.stored).toEqual([]);
  });

  it('repeats what alert-processor did not store, and reports once what it stored', async () => {
    const [counter, reports] = [new SequenceCounter(), openReports()];
    counter.begin([0, 0]).failed();
    reports.state.isUnavailable = true;
    await expect(reportSequences(counter, reports.store)).rejects.toThrow('unavailable');
    counter.begin([0]).written(() => true);
    reports.state.isUnavailable = false;
    await reportSequences(counter, reports.store);
    await reportSequences(counter, reports.store);
    expect(reports.stored.map(({ partitions }) => partitions)).toEqual([
      [{ partition: 0, through: 3, unacknowledged: [[1, 2]] }],
      [{ partition: 0, through: 3, unacknowledged: [] }],
    ]);
  });
});
