import { describe, expect, it } from '@jest/globals';
import { balanced, monthShare, problems, recovery, type Arrival, type Phase, type RunRecord } from './balance.ts';
import { SECOND_STEP_MS, type AlertKind, type SentAlert } from './expectations.ts';

const phase: Phase = {
  name: 'broker-killed',
  beganAt: 0,
  endedAt: 200_000,
  faultAt: 5_000,
  healedAt: 25_000,
  isTimed: true,
  ledgerProblem: undefined,
};
const [ADA, BOB] = ['ada@example.com', '+15555550001'];
const TRIED_AT = 10_000;
const ACCEPTED_AT = 10_400;
const SECOND_AT = ACCEPTED_AT + SECOND_STEP_MS;

const alertOf = (kind: AlertKind, changes: Partial<SentAlert> = {}): SentAlert => ({
  alias: 'run-1',
  kind,
  first: ADA,
  second: BOB,
  firstTriedAt: TRIED_AT,
  refusals: 0,
  accepted: { at: ACCEPTED_AT, requestId: 'create-1' },
  ...changes,
});
const arrival = (to: string, at: number, alias = 'run-1'): Arrival => ({ alias, to, at });
/** A page after the second step, so that the recovery has an end. */
const LATER = alertOf('one step', { alias: 'run-2', accepted: { at: 150_000, requestId: 'create-2' } });
const LATER_PAGE = arrival(ADA, 150_500, 'run-2');

function balanceOf(alert: SentAlert, arrivals: readonly Arrival[], changes: Partial<RunRecord> = {}) {
  const settled = new Set(['create-1', 'create-2', 'stop-1']);
  const run = { phases: [phase], alerts: [alert, LATER], arrivals: [...arrivals, LATER_PAGE], settled };
  const [balance] = balanced({ ...run, interrupted: new Set(), ...changes });
  if (balance === undefined) throw new Error('There is no balance.');
  return { balance, problems: problems([balance]) };
}

describe('the balance of a fault', () => {
  it('is met where each user of an accepted alert has one message, soon after the instant at which it is due', () => {
    const { balance, problems: found } = balanceOf(alertOf('two steps'), [
      arrival(ADA, ACCEPTED_AT + 700),
      arrival(BOB, SECOND_AT + 900),
    ]);
    expect(found).toEqual([]);
    expect(balance).toMatchObject({ accepted: 2, pages: 3, worstMs: 900, recoveryMs: 0, late: 0, medianMs: 700 });
  });

  it('misses a message that did not come, of either step', () => {
    expect(balanceOf(alertOf('two steps'), [arrival(ADA, ACCEPTED_AT + 700)]).problems).toEqual([
      `broker-killed: 1 messages did not come: run-1 to ${BOB}`,
    ]);
    expect(balanceOf(alertOf('one step'), []).balance).toMatchObject({ missing: [`run-1 to ${ADA}`], late: 1 });
  });

  it.each([
    ['to a user who is not paged', arrival('eve@example.com', 12_000)],
    ['about an alert that the load did not open', arrival(ADA, 12_000, 'something else')],
    ['of the second step before it is due', arrival(BOB, TRIED_AT + SECOND_STEP_MS - 2_000)],
  ])('takes a message %s for wrong', (_, message) => {
    const { balance } = balanceOf(alertOf('two steps'), [arrival(ADA, 11_000), message]);
    expect(balance.wrong).toEqual([`${message.alias} to ${message.to}`]);
  });

  it.each(['acknowledged', 'closed'] as const)(
    'takes the second message of an alert for wrong that was %s before it was due, and asks for none',
    (kind) => {
      const stopped = { at: 15_000, requestId: 'stop-1' };
      const pages = [arrival(ADA, 11_000)];
      expect(balanceOf(alertOf(kind, { stopped }), pages).problems).toEqual([]);
      const { balance } = balanceOf(alertOf(kind, { stopped }), [...pages, arrival(BOB, SECOND_AT)]);
      expect(balance.wrong).toEqual([`run-1 to ${BOB}`]);
    },
  );

  it.each([[[]], [[arrival(BOB, SECOND_AT)]]])(
    'takes both for right where the acknowledgement was accepted as the second step was due: %j',
    (second) => {
      const stopped = { at: SECOND_AT, requestId: 'stop-1' };
      const { problems: found } = balanceOf(alertOf('acknowledged', { stopped }), [arrival(ADA, 11_000), ...second]);
      expect(found).toEqual([]);
    },
  );

  it('misses an accepted command that is not settled, and an alert that was refused until the end', () => {
    const page = [arrival(ADA, 11_000)];
    expect(balanceOf(alertOf('one step'), page, { settled: new Set(['create-2']) }).problems).toEqual([
      'broker-killed: 1 accepted alerts are not settled: run-1',
    ]);
    const { accepted: _, ...refused } = alertOf('one step', { refusals: 7 });
    const { balance, problems: found } = balanceOf(refused, []);
    expect(found).toEqual(['broker-killed: 1 alerts were refused until the end: run-1']);
    expect(balance).toMatchObject({ accepted: 1, refusals: 7, pages: 1 });
  });

  it('takes a page of an alert for right whose answers were all lost', () => {
    const { accepted: _, ...refused } = alertOf('one step', { refusals: 7 });
    expect(balanceOf(refused, [arrival(ADA, 11_000)]).balance.wrong).toEqual([]);
  });

  it('accepts a message that came twice only where its send was interrupted', () => {
    const pages = [arrival(ADA, 11_000), arrival(ADA, 18_000)];
    const { balance, problems: found } = balanceOf(alertOf('one step'), pages);
    expect(balance.twice).toEqual([{ what: `run-1 to ${ADA}`, times: 1, isExplained: false }]);
    expect(found).toEqual([`broker-killed: 1 messages came twice although no send was interrupted: run-1 to ${ADA}`]);
    expect(balanceOf(alertOf('one step'), pages, { interrupted: new Set(['run-1']) }).problems).toEqual([]);
  });

  it('allows the worst page the recovery and two seconds more', () => {
    const slow = (ms: number) => balanceOf(alertOf('one step'), [arrival(ADA, ACCEPTED_AT + ms)]);
    // The next page that is due after the slow one is that of 150 s.
    expect(slow(30_000).balance).toMatchObject({ recoveryMs: 145_000, worstMs: 30_000, late: 1 });
    expect(slow(30_000).problems).toEqual([]);
    expect(slow(147_100).problems).toEqual([
      'broker-killed: the worst page took 147.1 s, 0.1 s more than the recovery and 2 s',
    ]);
  });

  it('misses the bar where pages do not become fast again, or the ledger does not balance', () => {
    const [balance] = balanced({
      phases: [{ ...phase, ledgerProblem: 'lost 1' }],
      alerts: [alertOf('one step')],
      arrivals: [arrival(ADA, ACCEPTED_AT + 9_000)],
      settled: new Set(['create-1']),
      interrupted: new Set(),
    });
    expect(problems(balance === undefined ? [] : [balance])).toEqual([
      'broker-killed: pages did not become fast again',
      'broker-killed: the ledger does not balance: lost 1',
    ]);
  });

  it('puts each message into the phase in which it is due', () => {
    const phases = [
      { ...phase, endedAt: 60_000 },
      { ...phase, name: 'next', beganAt: 60_000 },
    ];
    const run = { phases, settled: new Set(['create-1']), interrupted: new Set<string>() };
    const [first, next] = balanced({ ...run, alerts: [alertOf('two steps')], arrivals: [arrival(ADA, 11_000)] });
    expect([first?.pages, first?.missing.length, next?.pages, next?.missing.length]).toEqual([1, 0, 1, 1]);
  });
});

describe('the recovery', () => {
  const page = (dueAt: number, tookMs: number) => ({ what: String(dueAt), dueAt, tookMs });

  it('lasts until the first page from which on all are fast', () => {
    const pages = [page(4_000, 3_000), page(6_000, 500), page(7_000, 9_000), page(9_000, 2_000), page(9_200, 1_999)];
    expect(recovery(pages, 5_000)).toBe(4_200);
  });

  it('is over at once where no page is slow', () => {
    expect(recovery([page(6_000, 500)], 5_000)).toBe(0);
  });

  it('is unknown where the last page is slow, did not come, or there is none after the fault', () => {
    for (const pages of [[page(6_000, 2_000)], [page(6_000, Infinity)], [page(4_000, 500)], []])
      expect(recovery(pages, 5_000)).toBeUndefined();
  });
});

describe('the objective over a month', () => {
  it('takes the late pages of each fault for the time in which so many are due', () => {
    const alerts = [alertOf('one step'), LATER];
    const arrivals = [arrival(ADA, ACCEPTED_AT + 11_000), LATER_PAGE];
    const run = { phases: [phase], alerts, arrivals, settled: new Set<string>(), interrupted: new Set<string>() };
    const { allowedMs, lateMs, share } = monthShare(balanced(run));
    expect(lateMs).toBe(100_000);
    expect(allowedMs / 1_000).toBeCloseTo(259.2);
    expect(share).toBeCloseTo(1 - 100 / (30 * 86_400), 9);
  });
});
