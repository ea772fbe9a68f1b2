import { describe, expect, it } from '@jest/globals';
import type { AlertEvent } from '@tocsin/events';
import { diskFull } from '../testing/alert-samples.ts';
import { newState } from './apply-event.ts';
import { dueRule } from '../testing/transition-samples.ts';
import { nextDueAt } from './due.ts';
import type { ActiveEscalation, LookUp, EscalationState } from './escalation-state.ts';
import { withoutDueItem } from './transitions.ts';

const event: AlertEvent = {
  alertId: 'a1',
  version: 1,
  state: diskFull,
  facts: [],
  acceptedAt: '2026-01-01T00:00:00.000Z',
};

const rule = (delayMinutes: number): ActiveEscalation['rules'][number] => ({
  delayMinutes,
  condition: 'if-not-acked',
  notifyType: 'default',
  recipient: { type: 'user', id: 'ada' },
});

const active: ActiveEscalation = {
  id: 'escalation:e1',
  escalationId: 'e1',
  escalationName: 'Ops',
  version: { epoch: 1, n: 1 },
  targets: [],
  startedAt: new Date('2026-01-01T00:00:00Z'),
  rules: [rule(0), rule(5)],
  repeatNumber: 0,
  isStopped: false,
  awaitedOrderId: undefined,
  repeat: { waitMinutes: 10, count: 1, resetRecipientStates: false, closeAlertAfterAll: false },
};

const state: EscalationState = { ...newState(event), escalations: [active] };
const minute = (number: number): Date => new Date(Date.UTC(2026, 0, 1, 0, number));

describe('an escalation state without items that always fail', () => {
  it('has the next item due, and in the end none, so that no audit finds it overdue', () => {
    expect(nextDueAt(state)).toEqual(minute(0));
    const first = withoutDueItem(state, dueRule(active.id, 0));
    expect(nextDueAt(first)).toEqual(minute(5));
    const second = withoutDueItem(first, dueRule(active.id, 1));
    expect(nextDueAt(second)).toEqual(minute(15));
    expect(
      nextDueAt(withoutDueItem(second, { kind: 'repeat', routeId: active.id, repeatNumber: 0, dueAt: minute(15) })),
    ).toBeUndefined();
  });

  it('is the same where that is not due any more', () => {
    expect(withoutDueItem(state, dueRule(active.id, 0, 1))).toBe(state);
    expect(
      withoutDueItem({ ...state, escalations: [{ ...active, isStopped: true }] }, dueRule(active.id, 0)).done,
    ).toEqual([]);
  });

  it('waits neither for a look-up that fails nor to say that it is exhausted', () => {
    const origin = { routeId: active.id, rule: '0', repeatNumber: 0, cancelOn: 'ack', isStopped: false } as const;
    const lookUp: LookUp = {
      id: 'l1',
      target: { type: 'user', id: 'ada' },
      choice: 'default',
      route: { origin: { ...origin, dueAt: minute(0), why: 'a test' }, targets: [] },
      attempt: 0,
      dueAt: minute(1),
      since: minute(0),
    };
    const looking = { ...state, escalations: [], lookUps: [lookUp] };
    expect(nextDueAt(looking)).toEqual(minute(1));
    expect(
      nextDueAt(withoutDueItem(looking, { kind: 'look-up', lookUpId: 'l1', attempt: 0, dueAt: minute(1) })),
    ).toBeUndefined();
    const spent = { ...state, escalations: [], hasStarted: true, exhaustedDueAt: minute(2) };
    expect(nextDueAt(spent)).toEqual(minute(2));
    expect(nextDueAt(withoutDueItem(spent, { kind: 'exhausted', cycle: 1, dueAt: minute(2) }))).toBeUndefined();
  });
});
