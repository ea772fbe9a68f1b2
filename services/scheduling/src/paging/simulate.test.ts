import { describe, expect, it } from '@jest/globals';
import type { EscalationRepeat, TimedEvent } from '@tocsin/events';
import { finished } from '@tocsin/core';
import { escalationOf, rotationOf, ruleFor, scheduleOf, teamOf, userOf } from '../testing/on-call-samples.ts';
import { AlertOwner, T0 } from '../testing/alert-owner-samples.ts';
import { view } from '../testing/transition-samples.ts';
import { simulateEscalations, type EscalationSimulation } from './simulate.ts';

const LIMITS = {
  pages: 100,
  events: 200,
  findings: 1_000,
  findingBytes: 1_000_000,
  isTimeUp: () => false,
  transitions: 1_000,
  until: new Date(T0.getTime() + 7 * 86_400_000),
};
const user = (id: string) => ({ type: 'user', id }) as const;
const after = (minutes: number): Date => new Date(T0.getTime() + minutes * 60_000);
const once: EscalationRepeat = { waitMinutes: 10, count: 1, resetRecipientStates: false, closeAlertAfterAll: false };

function escalating(repeat?: EscalationRepeat) {
  const rules = [ruleFor(user('ada')), ruleFor({ type: 'schedule', id: 's1' }, { delayMinutes: 5 })];
  return view({
    escalations: [escalationOf('e1', rules, repeat && { repeat })],
    schedules: [scheduleOf('s1', [rotationOf([user('grace')])])],
  });
}

const created = (): readonly TimedEvent[] => {
  const { events } = new AlertOwner([{ type: 'escalation', id: 'e1' }], false);
  return events.map((event) => ({ at: T0, event }));
};
const paged = ({ pages }: EscalationSimulation) =>
  pages.map(({ actionType, pagedAt, userId }) => [userId, actionType, (Date.parse(pagedAt) - T0.getTime()) / 60_000]);

describe('simulateEscalations', () => {
  it('fires each rule at its time, with the user who is on call then, until nothing is left', () => {
    const state = finished(simulateEscalations(created(), escalating(), LIMITS));
    expect(paged(state)).toEqual([
      ['ada', 'create-alert', 0],
      ['grace', 'create-alert', 5],
    ]);
    expect(state.findings.filter(({ subject }) => subject === 'escalation-rule').map(({ at }) => at)).toEqual([
      T0,
      after(5),
    ]);
    expect([state.truncated, state.unknown, state.events]).toEqual([false, [], created()]);
  });

  it.each([
    ['repeats as the escalation says', once],
    ['repeats once what was acknowledged is reset', { ...once, resetRecipientStates: true }],
  ])('%s', (_what, repeat) => {
    const state = finished(simulateEscalations(created(), escalating(repeat), LIMITS));
    expect(paged(state).map(([, , minute]) => minute)).toEqual([0, 5, 15, 20]);
    expect(state.events.at(-1)?.event.state.status).toBe('open');
  });

  it('closes the alert where the escalation does, and notifies the users who were paged', () => {
    const state = finished(simulateEscalations(created(), escalating({ ...once, closeAlertAfterAll: true }), LIMITS));
    expect(paged(state).slice(4)).toEqual([
      ['ada', 'closed-alert', 30],
      ['grace', 'closed-alert', 30],
    ]);
    expect(state.events.at(-1)).toMatchObject({ at: after(30), event: { state: { status: 'closed' } } });
  });

  it('starts again with a restart, and with nothing after a close', () => {
    const owner = new AlertOwner([{ type: 'escalation', id: 'e1' }], false);
    owner.take({ kind: 'restart' });
    owner.take({ kind: 'restart' });
    const events = owner.events.map((event, index) => {
      const at = after(index * 30);
      return { at, event: { ...event, state: { ...event.state, flowStartedAt: at.toISOString() } } };
    });
    const minutes = (state: EscalationSimulation) => paged(state).map(([, , minute]) => minute);
    expect(minutes(finished(simulateEscalations(events, escalating(), LIMITS)))).toEqual([0, 5, 30, 35, 60, 65]);
    const closing = escalating({ ...once, count: 0, closeAlertAfterAll: true });
    expect(minutes(finished(simulateEscalations(events, closing, LIMITS)))).toEqual([0, 5, 15, 15]);
  });

  it('ends at each limit, and says so', () => {
    const many = { ...once, count: 20 };
    expect(finished(simulateEscalations(created(), escalating(many), { ...LIMITS, pages: 3 }))).toMatchObject({
      pages: { length: 3 },
      truncated: true,
    });
    const resetting = escalating({ ...many, resetRecipientStates: true });
    const few = finished(simulateEscalations(created(), resetting, { ...LIMITS, events: 3 }));
    expect([few.events.length, few.truncated]).toEqual([3, true]);
    expect(finished(simulateEscalations(created(), resetting, { ...LIMITS, findings: 5 })).truncated).toBe(true);
    expect(finished(simulateEscalations(created(), resetting, { ...LIMITS, findingBytes: 1_000 })).truncated).toBe(
      true,
    );
    expect(finished(simulateEscalations(created(), resetting, { ...LIMITS, isTimeUp: () => true }))).toMatchObject({
      pages: [],
      truncated: true,
    });
    // Also where nothing is left to come.
    expect(finished(simulateEscalations(created(), escalating(), { ...LIMITS, pages: 1 }))).toMatchObject({
      pages: { length: 1 },
      truncated: true,
    });
    const early = finished(simulateEscalations(created(), escalating(many), { ...LIMITS, until: after(5) }));
    expect([paged(early).length, early.truncated]).toEqual([2, true]);
  });

  it('does not repeat a failed look-up: nothing changes within a simulation', () => {
    const unavailable = { ...escalating(), user: () => undefined, isUnanswered: () => true };
    const state = finished(simulateEscalations(created(), unavailable, LIMITS));
    expect([state.truncated, state.unknown.length > 0]).toEqual([false, true]);
  });

  it('names users who are not found', () => {
    const state = finished(
      simulateEscalations(created(), view({ escalations: [escalationOf('e1', [ruleFor(user('unknown'))])] }), LIMITS),
    );
    expect([state.pages, state.unknown]).toEqual([[], [user('unknown')]]);
  });

  const userIds = Array.from({ length: 900 }, (_, index) => `user-${index}`);
  const repeated: EscalationRepeat = { ...once, count: 20 };
  it.each([
    ['900 rules that are due at once', userIds.map((id) => ruleFor(user(id))), 1],
    ['1800 rules, more than one transition opens targets', [...userIds, ...userIds].map((id) => ruleFor(user(id))), 1],
    ['900 rules without a recipient', userIds.map((id) => ruleFor(user(`gone-${id}`))), 1],
    ['900 members of a team', [ruleFor({ type: 'team', id: 'large' }, { notifyType: 'all' })], 20],
  ])(
    'fires one rule and looks up few users in each step, so that the event loop runs between them: %s',
    (_what, rules, most) => {
      const known = view({
        users: userIds.map(userOf),
        teams: [teamOf('large', Object.fromEntries(userIds.map((id) => [id, 'user'])), { type: 'none' })],
        escalations: [escalationOf('e1', rules, { repeat: repeated })],
      });
      let inStep = new Set<string>();
      let rulesInStep = 0;
      const asked = new Set<string>();
      const lookUp = (id: string) => {
        inStep.add(id);
        asked.add(id);
        return known.user(id);
      };
      // A rule that fires is compared with that of the escalation as it is.
      const escalation = (id: string) => {
        rulesInStep += 1;
        return known.escalation(id);
      };
      const steps = simulateEscalations(created(), { ...known, user: lookUp, escalation }, LIMITS);
      const largest: number[] = [];
      const fired: number[] = [];
      for (;;) {
        inStep = new Set();
        rulesInStep = 0;
        if (steps.next().done === true) break;
        largest.push(inStep.size);
        fired.push(rulesInStep);
      }
      expect([Math.max(...fired), Math.max(...largest), asked.size]).toEqual([1, most, userIds.length]);
    },
  );
});
