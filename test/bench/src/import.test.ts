import { describe, expect, test } from '@jest/globals';
import { importResult, type ImportMeasurements } from './import-report.ts';

const MEGABYTE = 1_024 * 1_024;

describe('the import bench', () => {
  const step = (name: string, seconds: number) => ({
    ...{ name, seconds, requests: 1_000, installationSeconds: 9, commandSeconds: 2, peakBytes: 150 * MEGABYTE },
  });
  const good: ImportMeasurements = {
    users: 1_000,
    teams: 200,
    read: { requests: 2_000, seconds: 4, installationSeconds: 3 },
    steps: [step('fetch', 59), step('plan', 90), step('apply', 29), step('apply again, no change', 5)],
  };

  test('shows each command beside its share of the limit, and its processor time beside that of a cheap read', () => {
    const { table, kept } = importResult(good);
    expect(kept).toBe(true);
    expect(table).toContain('import of 1000 users, 200 teams, 200 schedules');
    expect(table).toMatch(/fetch +59\.0 s +< 60\.0 s +1000 +17 +9\.0 s +9\.0 ms +6\.0 +2\.0 s +150 MB/);
    expect(table).toMatch(/plan +90\.0 s +1000 +11 /);
    expect(table).toMatch(/reads of the account +4\.0 s +2000 +500 +3\.0 s +1\.5 ms +1\.0/);
    expect(table).toContain('within the limits');
  });

  test.each([
    ['a fetch takes too long', [step('fetch', 60)]],
    ['a run without a change takes too long', [step('apply again, no change', 6)]],
    ['the command needs too much memory', [{ ...step('plan', 1), peakBytes: 300 * MEGABYTE }]],
  ])('is not content when %s', (_, steps) => {
    const { table, kept } = importResult({ ...good, steps });
    expect([kept, table.includes('OVER the limits')]).toEqual([false, true]);
  });
});
