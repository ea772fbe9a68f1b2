import { describe, expect, it } from '@jest/globals';
import type { AlertEvent } from '@tocsin/contracts';
import { diskFull } from '../../testing/run-samples.ts';
import { newRun } from './apply-event.ts';
import { dueItem as itemOf } from '../../testing/settle-run-samples.ts';
import { nextDueAt, type DueItem } from './due.ts';
import type { Branch, LookUp, Run } from './run.ts';
import { leftOut } from './settle-run.ts';

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
  isStopped: false,
  awaits: undefined,
  repeat: { waitMinutes: 10, count: 1, resetRecipientStates: false, closeAlertAfterAll: false },
};

const run: Run = { ...newRun(event), branches: [branch] };
const dueItem = (ruleIndex: DueItem['ruleIndex'], round = 0): DueItem => itemOf(branch.id, ruleIndex, round);
const minute = (number: number): Date => new Date(Date.UTC(2026, 0, 1, 0, number));

describe('a run without what fails for ever', () => {
  it('has the next thing due, and in the end nothing, so that no audit finds it overdue', () => {
    expect(nextDueAt(run)).toEqual(minute(0));
    const first = leftOut(run, dueItem(0));
    expect(nextDueAt(first)).toEqual(minute(5));
    const second = leftOut(first, dueItem(1));
    expect(nextDueAt(second)).toEqual(minute(15));
    expect(nextDueAt(leftOut(second, dueItem('repeat')))).toBeUndefined();
  });

  it('is the same where that is not due any more', () => {
    expect(leftOut(run, dueItem(0, 1))).toBe(run);
    expect(leftOut({ ...run, branches: [{ ...branch, isStopped: true }] }, dueItem(0)).fired).toEqual([]);
  });

  it('waits neither for a look-up that fails nor to say that it is exhausted', () => {
    const cause = { branchId: branch.id, rule: '0', round: 0, wantedWhile: 'unacked', isStopped: false } as const;
    const lookUp: LookUp = {
      id: 'l1',
      target: { type: 'user', id: 'ada' },
      choice: 'default',
      step: { cause: { ...cause, dueAt: minute(0), why: 'a test' }, path: [] },
      attempt: 0,
      dueAt: minute(1),
      since: minute(0),
    };
    const looking = { ...run, branches: [], lookUps: [lookUp] };
    expect(nextDueAt(looking)).toEqual(minute(1));
    expect(nextDueAt(leftOut(looking, itemOf('l1', 'look-up')))).toBeUndefined();
    const spent = { ...run, branches: [], begun: true, exhaustedDueAt: minute(2) };
    expect(nextDueAt(spent)).toEqual(minute(2));
    expect(nextDueAt(leftOut(spent, itemOf('-', 'exhausted', 1)))).toBeUndefined();
  });
});
