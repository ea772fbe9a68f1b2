import { describe, expect, it } from '@jest/globals';
import type { AlertEvent, AlertFact, Responder } from '@tocsin/events';
import { finished } from '@tocsin/core';
import { escalationOf, rotationOf, ruleFor, scheduleOf, teamOf } from '../testing/on-call-samples.ts';
import { Flow } from '../testing/flow-samples.ts';
import { diskFull } from '../testing/alert-samples.ts';
import { applyEvent } from './apply-event.ts';
import { dueItems } from './due.ts';
import type { EscalationState } from './escalation-state.ts';
import { dueRule, outcomes, paged, start, view } from '../testing/transition-samples.ts';
import { carryOutRequests, computeTransitions, applyEffects, fireDue } from './transitions.ts';

const at = (clock: string) => new Date(`2026-01-01T${clock}:00Z`);
const ASKED_AT = '01:00';
const user = (id: string): Responder => ({ type: 'user', id });
const E1: Responder = { type: 'escalation', id: 'e1' };
const rule = (id: string, delayMinutes: number) => ruleFor({ type: 'user', id }, { delayMinutes });
const e1 = escalationOf('e1', [rule('ada', 10), rule('grace', 20), rule('edsger', 30)]);
const things = {
  escalations: [e1],
  schedules: [scheduleOf('s1', [rotationOf([{ type: 'user', id: 'grace' }])])],
  teams: [teamOf('ops', { ada: 'user' }, { type: 'escalation', id: 'e1' })],
};

/** An alert whose escalations, of which no rule has fired. */
const running = (): EscalationState => start([E1], things).state;

interface Asking {
  readonly kind?: AlertFact['kind'];
  readonly responder: Responder;
  readonly state?: Partial<AlertEvent['state']>;
  readonly version?: number;
}

const asking = ({ kind = 'responder-added', responder, state = {}, version = 2 }: Asking): AlertEvent => ({
  alertId: 'a1',
  version,
  acceptedAt: at(ASKED_AT).toISOString(),
  state: { ...diskFull, responders: [E1, responder], ...state },
  facts: [{ factId: `f${version}`, kind, actor: 'ada', at: at(ASKED_AT).toISOString(), responder }],
});

/** The escalation state after an event that asks for something, and what was done. */
function ask(state: EscalationState | undefined, asked: Asking) {
  const event = asking(asked);
  const applied = applyEvent(state, event);
  if (applied === undefined) throw new Error('the event is a repeat');
  const hasStarted = computeTransitions({ ...applied, requests: [] }, view(things), at(ASKED_AT)).state;
  const effects = finished(carryOutRequests(hasStarted, applied.requests, view(things), at(ASKED_AT)));
  return { effects, state: applyEffects(hasStarted, effects) };
}

describe('a responder that is added (A9)', () => {
  it('is paged at once; no other user is', () => {
    const { effects } = ask(running(), { responder: user('grace') });
    expect(paged(effects)).toEqual(['grace']);
    expect(effects.pages).toMatchObject([{ cancelOn: 'ack', pagedAt: at(ASKED_AT).toISOString() }]);
    expect(effects.pages[0]?.pageId).toBe('a1:1:user:grace:-:0:grace:create-alert');
  });

  it('to an acknowledged alert is paged while that is open', () => {
    const acked = { acknowledged: true };
    const { effects } = ask(running(), { responder: user('grace'), state: acked });
    expect(effects.pages).toMatchObject([{ userId: 'grace', cancelOn: 'close' }]);
  });

  it('is paged by the user who is on call where it is a schedule', () => {
    expect(paged(ask(running(), { responder: { type: 'schedule', id: 's1' } }).effects)).toEqual(['grace']);
  });

  it('counts the delays of its escalation from then on', () => {
    const { state } = ask(start([user('grace')]).state, { responder: E1 });
    expect(dueItems(state).map(({ dueAt }) => dueAt)).toEqual([at('01:10'), at('01:20'), at('01:30')]);
  });

  it('twice is paged once', () => {
    const first = ask(start([user('grace')]).state, { responder: E1 });
    const { effects, state } = ask(first.state, { responder: E1, version: 3 });
    expect([effects.started, effects.pages]).toEqual([[], []]);
    expect(dueItems(state)).toEqual(dueItems(first.state));
  });

  it('to an alert without responders is the only one of its flow, which goes on', () => {
    const flow = { responders: 0 };
    const { effects, state } = ask(undefined, { responder: E1, state: { flow } });
    expect(state).toMatchObject({ hasStarted: true, alert: { cycle: 1 } });
    const fired = fireDue(state, dueRule('escalation:e1', 0), view(things), at('01:10'));
    expect([paged(effects), paged(fired)]).toEqual([[], ['ada']]);
  });

  const snoozedRun = (): EscalationState =>
    ask(running(), { responder: user('grace'), state: { snoozed: true } }).state;

  it('waits for the end of the snooze where there is one', () => {
    const { effects, state } = ask(snoozedRun(), { responder: user('edsger'), state: { snoozed: true }, version: 3 });
    expect([paged(effects), state.escalations.filter(({ isStopped }) => !isStopped)]).toEqual([[], []]);
  });

  it('after an acknowledgement that ended a snooze is paged all the same', () => {
    const { effects } = ask(snoozedRun(), { responder: user('edsger'), state: { acknowledged: true }, version: 3 });
    expect(effects.pages).toMatchObject([{ userId: 'edsger', cancelOn: 'close' }]);
  });
});

describe('a manual escalation (A9)', () => {
  const escalate = (before: EscalationState, version = 2, state: Asking['state'] = {}) =>
    ask(before, { kind: 'escalated', responder: E1, version, state: { responders: [E1], ...state } });

  it('runs the next rule now, each time, and leaves the time of the others', () => {
    const first = escalate(running());
    expect(first.effects.pages).toMatchObject([{ userId: 'ada', pagedAt: at('00:10').toISOString() }]);
    expect(dueItems(first.state).map(({ dueAt }) => dueAt)).toEqual([at('00:20'), at('00:30')]);
    const second = escalate(first.state, 3);
    expect(paged(second.effects)).toEqual(['grace']);
    expect(paged(fireDue(second.state, dueRule('escalation:e1', 1), view(things), at('01:00')))).toEqual([]);
  });

  it('of an acknowledged alert pages a user for as long as the alert is open', () => {
    expect(escalate(running(), 2, { acknowledged: true }).effects.pages).toMatchObject([
      { userId: 'ada', cancelOn: 'close' },
    ]);
  });

  it('of an acknowledged alert fires the rules that the acknowledgement kept from paging, each once', () => {
    const acknowledged = { acknowledged: true };
    const skipped = [0, 1].reduce((state: EscalationState, ruleIndex) => {
      const acked = { ...state, alert: { ...state.alert, ...acknowledged } };
      return applyEffects(state, fireDue(acked, dueRule('escalation:e1', ruleIndex), view(things), at('00:20')));
    }, running());
    const asked: string[] = [];
    [2, 3, 4, 5].reduce((state, version) => {
      const { effects, state: after } = escalate(state, version, acknowledged);
      asked.push(...paged(effects), ...outcomes(effects).filter((outcome) => outcome === 'ended'));
      return after;
    }, skipped);
    expect(asked).toEqual(['ada', 'grace', 'edsger', 'ended']);
  });

  it('hands over to a rule that was skipped, where it finds no recipient', () => {
    const empty = ruleFor({ type: 'schedule', id: 'empty' }, { delayMinutes: 10 });
    const known = {
      schedules: [scheduleOf('empty', [])],
      escalations: [escalationOf('e1', [empty, rule('grace', 20)])],
    };
    const flow = new Flow([E1], known);
    flow.take({ kind: 'acknowledge' });
    flow.until(30);
    flow.take({ kind: 'escalate', which: E1 });
    expect(flow.paged).toEqual(['grace']);
  });

  it('says so when no rule is left', () => {
    const exhausted = [2, 3, 4].reduce((state, version) => escalate(state, version).state, running());
    const { effects } = escalate(exhausted, 5);
    expect([paged(effects), outcomes(effects)]).toEqual([[], ['ended']]);
  });

  it('finds the escalation that a team runs, and adds no user', () => {
    const team: Responder = { type: 'team', id: 'ops' };
    const { effects } = escalate(start([team], things).state, 2, { responders: [team] });
    expect([paged(effects), effects.orders]).toEqual([['ada'], []]);
  });

  it('to an escalation that does not run fires its first rule now, keeps the delays of the others, and adds it', () => {
    const { effects, state } = escalate(start([user('edsger')]).state, 2, { responders: [user('edsger')] });
    expect(effects.pages).toMatchObject([{ userId: 'ada' }]);
    expect(dueItems(state).map(({ dueAt }) => dueAt)).toEqual([at('01:20'), at('01:30')]);
    expect(effects.orders).toMatchObject([{ action: { kind: 'add-responder', responder: E1 } }]);
    const added = ask(state, { responder: E1, version: 3 });
    expect(added.effects.pages).toEqual([]);
    expect(dueItems(added.state)).toEqual(dueItems(state));
  });

  it('of a snoozed alert runs the next rule now, and nothing else of the flow goes on', () => {
    const first = escalate(running());
    const { effects, state } = escalate(first.state, 3, { snoozed: true });
    expect(effects.pages).toMatchObject([{ userId: 'grace', cancelOn: 'ack' }]);
    expect([dueItems(state), state.escalations.filter(({ isStopped }) => !isStopped)]).toEqual([[], []]);
    expect(escalate(state, 4, { snoozed: true }).effects.pages).toMatchObject([{ userId: 'edsger' }]);
  });

  it('of a held alert runs the first rule now, and no other at its time', () => {
    const held = { notifications: { kind: 'delayed' as const }, responders: [E1] };
    const { effects, state } = ask(undefined, { kind: 'escalated', responder: E1, state: held });
    expect([paged(effects), dueItems(state)]).toEqual([['ada'], []]);
  });

  it('of a snoozed alert to an escalation that does not run fires its first rule, and no other at its time', () => {
    const snoozed = { responders: [user('edsger')], snoozed: true };
    const { effects, state } = escalate(start([user('edsger')]).state, 2, snoozed);
    expect([paged(effects), dueItems(state)]).toEqual([['ada'], []]);
    expect(effects.orders).toMatchObject([{ action: { kind: 'add-responder', responder: E1 } }]);
  });

  it('of a snoozed alert starts the escalation where that is added after an acknowledgement has ended the snooze', () => {
    const snoozed = { responders: [user('edsger')], snoozed: true };
    const stopped = escalate(start([user('edsger')], things).state, 2, snoozed);
    const acked = ask(stopped.state, {
      kind: 'acknowledged',
      responder: E1,
      version: 3,
      state: { acknowledged: true },
    });
    expect(dueItems(acked.state)).toEqual([]);
    const { effects, state } = ask(acked.state, { responder: E1, version: 4, state: { acknowledged: true } });
    expect(paged(effects)).toEqual([]);
    expect(dueItems(state).map(({ dueAt }) => dueAt)).toEqual([at('01:20'), at('01:30')]);
  });
});
