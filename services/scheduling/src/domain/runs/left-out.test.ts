import { describe, expect, it } from '@jest/globals';
import type { AlertEvent } from '@tocsin/contracts';
import { diskFull } from '../../testing/run-samples.ts';
import { newRun } from './observe.ts';
import type { Branch, Run } from './run.ts';
import type { DueTimer } from './rule-timer.ts';
import { leftOut } from './settle-run.ts';
import { nextDueAt } from './expected-timers.ts';

const event: AlertEvent = {
  alertId: 'a1',
  version: 1,
  state: diskFull,
  facts: [],
  acceptedAt: '2026-01-01T00:00:00.000Z',
};

const rule = (delayMinutes: number): Branch['rules'][number] => ({
  delayMinutes,
  condition: 'if-not-acked',
  notifyType: 'default',
  recipient: { type: 'user', id: 'ada' },
});

const branch: Branch = {
  id: 'escalation:e1',
  escalationId: 'e1',
  escalationName: 'Ops',
  version: { epoch: 1, n: 1 },
  path: [],
  startedAt: new Date('2026-01-01T00:00:00Z'),
  rules: [rule(0), rule(5)],
  round: 0,
  openedBy: 1,
  ahead: 0,
  awaits: undefined,
  repeat: { waitMinutes: 10, count: 1, resetRecipientStates: false, closeAlertAfterAll: false },
};

const run: Run = { ...newRun(event), branches: [branch] };
const timer = (ruleIndex: DueTimer['ruleIndex'], over: Partial<DueTimer> = {}): DueTimer => ({
  branchId: branch.id,
  ruleIndex,
  round: 0,
  openedBy: 1,
  ...over,
});
const minute = (number: number): Date => new Date(Date.UTC(2026, 0, 1, 0, number));

describe('a run without a timer that fails for ever', () => {
  it('has the next thing due, and in the end nothing, so that no audit finds it overdue', () => {
    expect(nextDueAt(run)).toEqual(minute(0));
    const first = leftOut(run, timer(0));
    expect(nextDueAt(first)).toEqual(minute(5));
    const second = leftOut(first, timer(1));
    expect(nextDueAt(second)).toEqual(minute(15));
    expect(nextDueAt(leftOut(second, timer('repeat')))).toBeUndefined();
  });

  it('is the same where the timer does not count any more', () => {
    expect(leftOut(run, timer(0, { round: 1 }))).toBe(run);
    expect(leftOut(run, timer(0, { openedBy: 7 }))).toBe(run);
    expect(leftOut(run, timer('look-up'))).toBe(run);
  });
});
