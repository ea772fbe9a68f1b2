import { expect, it } from '@jest/globals';
import type { PhaseBalance } from './balance.ts';
import { report } from './report.ts';

const balance: PhaseBalance = {
  phase: {
    name: 'primary-frozen',
    kind: 'fault',
    beganAt: 0,
    endedAt: 60_000,
    fault: { beganAt: 5_000, removedAt: 25_100, recoveryLimitMs: 35_000 },
    endedFast: true,
    ledger: { problem: undefined },
  },
  isFinal: true,
  accepted: 300,
  refusals: 12,
  notAccepted: [],
  unsettled: [],
  pages: 400,
  missing: ['run-3 to ada@example.com'],
  wrong: [],
  twice: [
    { what: 'run-1 to ada@example.com', times: 1, unexplained: 0 },
    { what: 'run-2 to ada@example.com', times: 2, unexplained: 1 },
  ],
  slow: [],
  worstMs: 22_340,
  medianMs: 640,
  recoveryMs: 21_500,
  late: 40,
};

const cellsOf = (of: PhaseBalance): readonly string[] =>
  (report([of], []).split('\n')[2] ?? '')
    .split('|')
    .map((cell) => cell.trim())
    .slice(1, -1);

it('the report is a table with a row for each fault, the faults that were not run, and what a month costs', () => {
  const lines = report([balance], [{ name: 'broker-cut-off', reason: 'it needs root' }]).split('\n');
  expect(cellsOf(balance)).toEqual(
    [
      'primary-frozen',
      '20.1 s',
      '300',
      '12',
      '0',
      '400',
      '1',
      '0',
      '3, 1 unexplained',
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

it('the report says before the end of a run that what has not come is pending', () => {
  expect(cellsOf({ ...balance, isFinal: false, unsettled: ['run-1', 'run-2'] })).toEqual(
    expect.arrayContaining(['1 pending', '2 pending']),
  );
});

it('the report says of a ledger that was not read neither that it balances nor that it does not', () => {
  const ledgerCell = (ledger: PhaseBalance['phase']['ledger']) =>
    cellsOf({ ...balance, phase: { ...balance.phase, ledger } }).at(-1);
  expect(ledgerCell(undefined)).toBe('-');
  expect(ledgerCell({ problem: 'lost 1' })).toBe('does not balance');
});
