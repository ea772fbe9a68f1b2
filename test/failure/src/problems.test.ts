import { describe, expect, it } from '@jest/globals';
import type { Phase, PhaseBalance } from './balance.ts';
import { conclusion, missedBars, problems } from './problems.ts';

const phase: Phase = {
  name: 'mail-cut',
  kind: 'fault',
  beganAt: 0,
  endedAt: 60_000,
  fault: { beganAt: 5_000, removedAt: 25_000, recoveryLimitMs: 35_000 },
  endedFast: true,
  ledger: { problem: undefined },
};
const met: PhaseBalance = {
  phase,
  isFinal: true,
  accepted: 300,
  refusals: 0,
  notAccepted: [],
  unsettled: [],
  pages: 400,
  missing: [],
  wrong: [],
  twice: [],
  slow: [],
  worstMs: 900,
  medianMs: 200,
  recoveryMs: 35_000,
  late: 0,
};
const OUTSTANDING = { missing: ['a to b'], unsettled: ['a'], notAccepted: ['c'] };
const ofPhase = (changes: Partial<Phase>): PhaseBalance => ({ ...met, phase: { ...phase, ...changes } });

describe('the bars of a fault', () => {
  it('are met by what is as promised', () => {
    expect(problems([met])).toEqual([]);
  });

  it.each<[string, PhaseBalance]>([
    ['accepted alerts that are not settled: 1 (a)', { ...met, unsettled: ['a'] }],
    ['missing pages: 6 (1, 2, 3, 4, 5, …)', { ...met, missing: ['1', '2', '3', '4', '5', '6'] }],
    ['requests that were refused to the end: 1 (c)', { ...met, notAccepted: ['c'] }],
    ['wrong pages: 1 (d)', { ...met, wrong: ['d'] }],
    [
      'pages that came again without an interruption in the log: 1 (e)',
      {
        ...met,
        twice: [
          { what: 'e', times: 2, unexplained: 1 },
          { what: 'f', times: 1, unexplained: 0 },
        ],
      },
    ],
    ['no alert was accepted, so nothing is shown', { ...met, accepted: 0 }],
    ['pages did not stay fast', ofPhase({ endedFast: false })],
    ['pages did not stay fast', { ...met, recoveryMs: undefined }],
    ['the recovery took 35.1 s, longer than its limit of 35.0 s', { ...met, recoveryMs: 35_100 }],
    ['pages that came later than their bar: 1 (g by 1.2 s)', { ...met, slow: [{ what: 'g', excessMs: 1_200 }] }],
    ['the ledger does not balance: lost 1', ofPhase({ ledger: { problem: 'lost 1' } })],
  ])('are missed: %s', (problem, balance) => {
    expect(problems([balance])).toEqual([`mail-cut: ${problem}`]);
  });

  it('are missed without an alert in each phase but that of the last pages', () => {
    const empty = (kind: Phase['kind']) => problems([{ ...ofPhase({ kind, fault: undefined }), accepted: 0 }]);
    for (const kind of ['warm-up', 'no-fault'] as const) expect(empty(kind)).toHaveLength(1);
    expect(empty('last-pages')).toEqual([]);
  });

  it('are not missed by what is pending before the end of the run', () => {
    expect(problems([{ ...met, ...OUTSTANDING }])).toHaveLength(3);
    expect(problems([{ ...met, ...OUTSTANDING, isFinal: false }])).toEqual([]);
  });
});

describe('the bars of a run', () => {
  // Half of the pages of a phase of 600 s are late, which is 300 s of a month.
  const slowMonth = { ...ofPhase({ endedAt: 600_000 }), late: 200 };

  it('are missed where the faults together cost more than the month allows', () => {
    expect(missedBars([{ ...slowMonth, late: 170 }], [])).toEqual([]);
    expect(missedBars([slowMonth], [])).toEqual([
      'month: 99.9884 % of the pages are handed over within 10 s, less than 99.99 %',
    ]);
    expect(missedBars([{ ...slowMonth, isFinal: false }], [])).toEqual([]);
  });

  it('are missed where no fault was run, or the run failed', () => {
    const warmUp = ofPhase({ kind: 'warm-up', fault: undefined });
    expect(missedBars([warmUp], [])).toEqual(['no fault was run, so nothing is shown']);
    expect(missedBars([ofPhase({ kind: 'no-fault', fault: undefined })], [])).toEqual([]);
    expect(missedBars([warmUp], ['the run failed: Error'])).toEqual(['the run failed: Error']);
  });
});

describe('the conclusion', () => {
  it.each([
    [[], 0, 'Every bar is met.'],
    [[], 1, 'Every bar that was measured is met; 1 fault was not run.'],
    [[], 4, 'Every bar that was measured is met; 4 faults were not run.'],
    [['one', 'two'], 4, 'Missed:\n\n- one\n- two'],
  ])('of a run that misses %j with %i faults left out is %j', (missed, notRun, text) => {
    expect(conclusion('ended', missed, notRun)).toBe(text);
  });

  it('of a run that has not ended says so, and never that every bar is met', () => {
    expect(conclusion('stopped', [], 0)).toBe('The run was stopped before its end: what is pending is not judged.');
    expect(conclusion('under way', ['one'], 0)).toBe(
      'The run is under way: what is pending is not judged. Missed:\n\n- one',
    );
  });
});
