import { describe, expect, it } from '@jest/globals';
import type { PhaseBalance } from './ledger.ts';
import { report, table } from './report.ts';

const balance: PhaseBalance = {
  phase: { name: 'kill gateway', isOrderly: false, seconds: 12.4, restarts: 1, wantedRestarts: 1 },
  alerts: 60,
  accepted: 58,
  refused: new Map([
    ['502', 1],
    ['ECONNRESET', 1],
  ]),
  reads: 60,
  refusedReads: new Map(),
  slowestMs: 812.3,
  unsettled: [],
  paged: 116,
  missing: [],
  duplicates: 1,
};

describe('the report of a cluster run', () => {
  it('is a table of Markdown whose columns stand under each other', () => {
    expect(
      table([
        ['a', 'bb'],
        ['ccc', '1'],
      ]),
    ).toBe('| a   | bb |\n| --- | -: |\n| ccc |  1 |');
  });

  it('shows each phase with its refusals, and the sum of all', () => {
    const cells = report([balance, { ...balance, slowestMs: 20 }])
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()));
    expect(cells[2]?.slice(1, 10)).toEqual([
      'kill gateway',
      '12',
      '60',
      '58',
      '1 × 502, 1 × ECONNRESET',
      '60',
      '0',
      '812 ms',
      '0',
    ]);
    expect(cells[4]?.slice(1, -1).join(' ')).toBe('in all 25 120 116 4 120 0 812 ms 0 232 0 2 2');
  });
});
