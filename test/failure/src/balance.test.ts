import { describe, expect, it } from '@jest/globals';
import { balanced, monthShare, type Phase, type RunRecord } from './balance.ts';
import { SECOND_STEP_MS, type AlertKind, type SentAlert } from './expectations.ts';
import { problems } from './problems.ts';
import type { Arrival } from './recovery.ts';

const phase: Phase = {
  name: 'broker-killed',
  kind: 'fault',
  beganAt: 0,
  endedAt: 200_000,
  fault: { beganAt: 5_000, removedAt: 25_000, recoveryLimitMs: 35_000 },
  endedFast: true,
  ledger: { problem: undefined },
};
const [ADA, BOB, EVE] = ['ada@example.com', '+15555550001', 'eve@example.com'];
const SENT_AT = 10_000;
const ACCEPTED_AT = 10_400;
const SECOND_AT = ACCEPTED_AT + SECOND_STEP_MS;

const alertOf = (kind: AlertKind, changes: Partial<SentAlert> = {}): SentAlert => ({
  alias: 'run-1',
  kind,
  first: ADA,
  second: BOB,
  firstSentAt: SENT_AT,
  refusedAt: [],
  accepted: { at: ACCEPTED_AT, requestId: 'create-1' },
  ...changes,
});
const arrival = (to: string, at: number, alias = 'run-1'): Arrival => ({ alias, to, at });
const EVERY_MS = 1_000;

/** An alert of one step each second from `from` to before `until`, whose page takes half a second. */
function otherAlerts(from: number, until: number) {
  const alerts = Array.from({ length: (until - from) / EVERY_MS }, (_, index) => {
    const at = from + index * EVERY_MS;
    const accepted = { at, requestId: `create ${at}` };
    return alertOf('one step', { alias: `other-${at}`, first: EVE, firstSentAt: at, accepted });
  });
  return {
    alerts,
    arrivals: alerts.map(({ alias, accepted }) => arrival(EVE, (accepted?.at ?? 0) + 500, alias)),
    requests: alerts.map(({ accepted }) => accepted?.requestId ?? ''),
  };
}

/** Alerts beside the one of a test, one each second of the phase, unless `changes` say otherwise. */
function balanceOf(alert: SentAlert, arrivals: readonly Arrival[], changes: Partial<RunRecord> = {}) {
  const others = otherAlerts(0, 200_000);
  const [balance] = balanced({
    phases: [phase],
    alerts: [alert, ...others.alerts],
    arrivals: [...arrivals, ...others.arrivals],
    settled: new Set(['create-1', 'stop-1', ...others.requests]),
    interruptions: new Map(),
    hasEnded: true,
    ...changes,
  });
  if (balance === undefined) throw new Error('There is no balance.');
  return { balance, problems: problems([balance]) };
}

describe('the balance of a fault', () => {
  it('is met where each user of an accepted alert has one page, soon after the instant at which it is due', () => {
    const { balance, problems: found } = balanceOf(alertOf('two steps'), [
      arrival(ADA, ACCEPTED_AT + 700),
      arrival(BOB, SECOND_AT + 900),
    ]);
    expect(found).toEqual([]);
    expect(balance).toMatchObject({ accepted: 201, pages: 202, worstMs: 900, recoveryMs: 0, late: 0, medianMs: 500 });
  });

  it('misses a page that did not come, of either step', () => {
    expect(balanceOf(alertOf('two steps'), [arrival(ADA, ACCEPTED_AT + 700)]).balance.missing).toEqual([
      `run-1 to ${BOB}`,
    ]);
    expect(balanceOf(alertOf('one step'), []).balance).toMatchObject({ missing: [`run-1 to ${ADA}`], late: 1 });
  });

  it.each([
    ['to a user who is not paged', arrival(EVE, 12_000)],
    ['about an alert that the load did not open', arrival(ADA, 12_000, 'something else')],
    ['of the second step before it is due', arrival(BOB, SENT_AT + SECOND_STEP_MS - 2_000)],
  ])('takes a page %s for wrong', (_, page) => {
    const { balance } = balanceOf(alertOf('two steps'), [arrival(ADA, 11_000), page]);
    expect(balance.wrong).toEqual([`${page.alias} to ${page.to}`]);
  });

  it.each(['acknowledged', 'closed'] as const)(
    'takes the second page of an alert for wrong that was %s before it was due, and asks for none',
    (kind) => {
      const stopped = { stopSentAt: 14_900, stopped: { at: 15_000, requestId: 'stop-1' } };
      const pages = [arrival(ADA, 11_000)];
      expect(balanceOf(alertOf(kind, stopped), pages).problems).toEqual([]);
      const { balance } = balanceOf(alertOf(kind, stopped), [...pages, arrival(BOB, SECOND_AT)]);
      expect(balance.wrong).toEqual([`run-1 to ${BOB}`]);
    },
  );

  it.each([[[]], [[arrival(BOB, SECOND_AT)]]])(
    'takes both for right where the acknowledgement was accepted as the second step was due: %j',
    (second) => {
      const stopped = { stopSentAt: SECOND_AT - 100, stopped: { at: SECOND_AT, requestId: 'stop-1' } };
      const { problems: found } = balanceOf(alertOf('acknowledged', stopped), [arrival(ADA, 11_000), ...second]);
      expect(found).toEqual([]);
    },
  );

  it('misses the second page of an alert that was never acknowledged, or only after that page would be missing', () => {
    const first = [arrival(ADA, 11_000)];
    expect(balanceOf(alertOf('acknowledged'), []).balance.missing).toEqual([`run-1 to ${ADA}`, `run-1 to ${BOB}`]);
    const late = { stopSentAt: SECOND_AT + 60_000, stopped: { at: SECOND_AT + 60_100, requestId: 'stop-1' } };
    expect(balanceOf(alertOf('closed', late), first).balance.missing).toEqual([`run-1 to ${BOB}`]);
    const waited = { ...late, stopSentAt: SECOND_AT + 59_999 };
    expect(balanceOf(alertOf('closed', waited), first).balance.missing).toEqual([]);
  });

  it('misses an accepted command that is not settled, and an alert that was refused to the end', () => {
    const page = [arrival(ADA, 11_000)];
    expect(balanceOf(alertOf('one step'), page, { settled: new Set() }).balance.unsettled).toContain('run-1');
    const { accepted: _, ...refused } = alertOf('one step', { refusedAt: [11_000, 12_000] });
    const { balance } = balanceOf(refused, []);
    expect(balance).toMatchObject({ notAccepted: ['run-1'], unsettled: [], accepted: 200, refusals: 2, pages: 200 });
  });

  it('misses an acknowledgement that was refused to the end, and counts its refusals', () => {
    const refused = alertOf('acknowledged', { stopSentAt: 12_000, refusedAt: [12_100, 13_000, 300_000] });
    const { balance, problems: found } = balanceOf(refused, [arrival(ADA, 11_000)], {
      phases: [phase, { ...phase, name: 'next', beganAt: 200_000, endedAt: 400_000 }],
    });
    expect(balance.refusals).toBe(2);
    expect(found).toEqual([
      'broker-killed: requests that were refused to the end: 1 (acknowledgement or close of run-1)',
    ]);
  });

  it('takes a page of an alert for right whose answers were all lost', () => {
    const { accepted: _, ...refused } = alertOf('one step', { refusedAt: [11_000] });
    expect(balanceOf(refused, [arrival(ADA, 11_000)]).balance.wrong).toEqual([]);
  });

  it('accepts as many repeats of a page as its log has interruptions for this alert and user', () => {
    const pages = [arrival(ADA, 11_000), arrival(ADA, 18_000), arrival(ADA, 19_000)];
    const unexplainedBy = (what: string, interruptions: number) =>
      balanceOf(alertOf('one step'), pages, { interruptions: new Map([[what, interruptions]]) }).balance.twice;
    const what = `run-1 to ${ADA}`;
    expect(unexplainedBy(what, 2)).toEqual([{ what, times: 2, unexplained: 0 }]);
    expect(unexplainedBy(what, 1)).toEqual([{ what, times: 2, unexplained: 1 }]);
    expect(unexplainedBy(`run-1 to ${BOB}`, 2)).toEqual([{ what, times: 2, unexplained: 2 }]);
  });

  it('leaves a page out of the times of the fault that came before it', () => {
    const early = (arrivedAt: number) =>
      balanceOf(alertOf('one step', { firstSentAt: 1_000, accepted: { at: 1_000, requestId: 'create-1' } }), [
        arrival(ADA, arrivedAt),
      ]).balance.worstMs;
    expect(early(4_999)).toBe(500);
    expect(early(5_000)).toBe(4_000);
  });

  it('puts each page into the phase in which it is due', () => {
    const phases = [
      { ...phase, endedAt: 60_000 },
      { ...phase, name: 'next', beganAt: 60_000 },
    ];
    const run = { phases, settled: new Set(['create-1']), interruptions: new Map<string, number>(), hasEnded: true };
    const [first, next] = balanced({ ...run, alerts: [alertOf('two steps')], arrivals: [arrival(ADA, 11_000)] });
    expect([first?.pages, first?.missing.length, next?.pages, next?.missing.length]).toEqual([1, 0, 1, 1]);
  });

  it('has what was before the first and after the last phase too, once the run has ended', () => {
    const phases = [{ ...phase, beganAt: ACCEPTED_AT + 100, endedAt: ACCEPTED_AT + 200 }];
    const run = { phases, settled: new Set<string>(), interruptions: new Map<string, number>(), arrivals: [] };
    const pagesWhere = (hasEnded: boolean) => {
      const [balance] = balanced({ ...run, alerts: [alertOf('two steps', { firstSentAt: 0 })], hasEnded });
      return balance?.pages;
    };
    expect([pagesWhere(false), pagesWhere(true)]).toEqual([1, 2]);
  });
});

describe('the bar of a page', () => {
  const cameAfter = (ms: number, of: Partial<Phase> = {}) =>
    balanceOf(alertOf('one step'), [arrival(ADA, ACCEPTED_AT + ms)], { phases: [{ ...phase, ...of }] });
  const noFault = { kind: 'no-fault', fault: undefined } as const;

  it('is two seconds after the recovery where it was due before that', () => {
    // The page makes itself slow, so the recovery ends with the next one, at 11 s, 6 s after the fault.
    expect(cameAfter(2_600).problems).toEqual([]);
    expect(cameAfter(2_600).balance).toMatchObject({ recoveryMs: 6_000, worstMs: 2_600 });
    expect(cameAfter(30_000).problems).toEqual([
      `broker-killed: pages that came later than their bar: 1 (run-1 to ${ADA} by 27.4 s)`,
    ]);
  });

  it('is ten seconds where it was due after that, and does not make the recovery longer', () => {
    const at = 100_400;
    const slow = (ms: number) =>
      balanceOf(alertOf('one step', { accepted: { at, requestId: 'create-1' } }), [arrival(ADA, at + ms)]);
    expect(slow(9_900)).toMatchObject({ problems: [], balance: { recoveryMs: 0 } });
    expect(slow(10_100).balance.slow).toEqual([{ what: `run-1 to ${ADA}`, excessMs: 100 }]);
  });

  it.each([
    ['no-fault', noFault, 2_000],
    ['last-pages', { kind: 'last-pages', fault: undefined } as const, 10_000],
  ])('is %s: %j %i ms', (_, of, barMs) => {
    expect(cameAfter(barMs, of).balance.slow).toEqual([]);
    expect(cameAfter(barMs + 1, of).balance.slow).toEqual([{ what: `run-1 to ${ADA}`, excessMs: 1 }]);
  });

  it('is none in the warm-up', () => {
    expect(cameAfter(50_000, { kind: 'warm-up', fault: undefined }).balance.slow).toEqual([]);
  });
});

describe('the objective over a month', () => {
  it('takes the late pages of each fault for the time in which so many are due', () => {
    const { balance } = balanceOf(alertOf('one step'), [arrival(ADA, ACCEPTED_AT + 11_000)]);
    const { allowedMs, lateMs, share } = monthShare([{ ...balance, pages: 2 }]);
    expect(lateMs).toBe(100_000);
    expect(allowedMs / 1_000).toBeCloseTo(259.2);
    expect(share).toBeCloseTo(1 - 100 / (30 * 86_400), 9);
  });
});
