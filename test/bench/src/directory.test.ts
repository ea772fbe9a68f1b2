import { describe, expect, test } from '@jest/globals';
import { directoryResult, type DirectoryMeasurements } from './directory-report.ts';

describe('the directory bench', () => {
  const good: DirectoryMeasurements = {
    users: 10_000,
    pageMs: [6, 19, 8],
    plainPageMs: [4, 5, 3],
    visibleMs: [30, 10, 20],
    roundTripMs: [10, 10, 10],
    uses: 50,
    missed: 0,
  };

  test('shows each time beside what the engines take alone', () => {
    const { table, kept } = directoryResult(good);
    expect(kept).toBe(true);
    expect(table).toMatch(/page of 100 of 10000 users, in the service +8\.0 ms +19\.0 ms/);
    expect(table).toMatch(/page \/ read +2\.0 +3\.8/);
    expect(table).toMatch(/change \/ record +2\.0 +3\.0/);
    expect(table).toContain('within the limits');
  });

  test.each([
    ['a page takes too long', { pageMs: [1, 2, 20] }],
    ['a change is seen too late', { visibleMs: [1, 2, 100] }],
    ['a new team is not found', { missed: 1 }],
  ])('is not content when %s', (_, worse) => {
    const { table, kept } = directoryResult({ ...good, ...worse });
    expect([kept, table.includes('OVER the limits')]).toEqual([false, true]);
  });
});
