import { expect, it } from '@jest/globals';
import type { PhaseBalance } from './balance.ts';
import { report } from './report.ts';

const balance: PhaseBalance = {
  phase: {
    name: 'primary-frozen',
    beganAt: 0,
    endedAt: 60_000,
    faultAt: 5_000,
    healedAt: 25_100,
    isTimed: true,
    ledgerProblem: undefined,
  },
  accepted: 300,
  refusals: 12,
  notAccepted: [],
  unsettled: [],
  pages: 400,
  missing: [],
  wrong: [],
  twice: [
    { what: 'run-1 to ada@example.com', times: 1, isExplained: true },
    { what: 'run-2 to ada@example.com', times: 2, isExplained: false },
  ],
  worstMs: 22_340,
  medianMs: 640,
  recoveryMs: 21_500,
  late: 40,
};

it('the report is a table with a row for each fault, the faults that were not run, and what a month costs', () => {
  const lines = report([balance], [{ name: 'broker-cut-off', reason: 'it needs root' }]).split('\n');
  const cells = (lines[2] ?? '').split('|').map((cell) => cell.trim());
  expect(cells.slice(1, -1)).toEqual(
    [
      'primary-frozen',
      '20.1 s',
      '300',
      '12',
      '0',
      '400',
      '0',
      '0',
      '3, 2 unexplained',
      '0.6 s',
      '22.3 s',
      '21.5 s',
    ].concat('90.00 %', 'balances'),
  );
  expect(lines).toContain('- Not run: broker-cut-off, because it needs root.');
  expect(lines.at(-1)).toBe(
    'In a month in which each of these faults happens once, pages take longer than 10 s for 6.0 s: 99.9998 % are handed over within 10 s. The objective is 99.99 %, which allows 259.2 s.',
  );
});
