import { describe, expect, it } from '@jest/globals';
import type { AlertEvent, AlertFact, Responder } from '@tocsin/contracts';
import { escalationOf, rotationOf, ruleFor, scheduleOf, teamOf } from '../on-call.samples.ts';
import { diskFull } from './run.samples.ts';
import { observe, type Run } from './run.ts';
import { outcomes, paged, start, view } from './settle-run.samples.ts';
import { askedFor, settled, turnDue } from './settle-run.ts';

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

/** An alert whose escalation runs, of which no rule has fired. */
const running = (): Run => start([E1], things).run;

interface Asking {
  readonly kind?: AlertFact['kind'];
  readonly responder: Responder;
  readonly state?: Partial<AlertEvent['state']>;
  readonly version?: number;
}

const asking = ({ kind = 'responder-added', responder, state = {}, version = 2 }: Asking): AlertEvent => ({
  ...{ alertId: 'a1', version, acceptedAt: at(ASKED_AT).toISOString() },
  state: { ...diskFull, responders: [E1, responder], ...state },
  facts: [{ factId: `f${version}`, kind, actor: 'ada', at: at(ASKED_AT).toISOString(), responder }],
});

/** The run after an event that asks for something, and what was done. */
function ask(run: Run | undefined, asked: Asking) {
  const event = asking(asked);
  const observation = observe(run, event);
  if (observation.kind !== 'noted') throw new Error(`the event is ${observation.kind}`);
  const effects = askedFor(observation.run, observation.asked, view(things), at(ASKED_AT));
  return { effects, run: settled(observation.run, effects) };
}

describe('a responder that is added (A9)', () => {
  it('is paged at once; nobody else is', () => {
    const { effects } = ask(running(), { responder: user('grace') });
    expect(paged(effects)).toEqual(['grace']);
    expect(effects.pages).toMatchObject([{ wantedWhile: 'unacked', pagedAt: at(ASKED_AT).toISOString() }]);
    expect(effects.pages[0]?.pageId).toBe('a1:1:user:grace:-:0:grace:create-alert');
  });

  it('to an acknowledged alert is paged while that is open', () => {
    const acked = { acknowledged: true };
    const { effects } = ask(running(), { responder: user('grace'), state: acked });
    expect(effects.pages).toMatchObject([{ userId: 'grace', wantedWhile: 'open' }]);
  });

  it('is paged by whoever is on call where it is a schedule', () => {
    expect(paged(ask(running(), { responder: { type: 'schedule', id: 's1' } }).effects)).toEqual(['grace']);
  });

  it('counts the delays of its escalation from then on', () => {
    const { effects } = ask(start([user('grace')]).run, { responder: E1 });
    expect(effects.timers.map(({ dueAt }) => dueAt)).toEqual([at('01:10'), at('01:20'), at('01:30')]);
  });

  it('twice is paged once', () => {
    const first = ask(start([user('grace')]).run, { responder: E1 });
    const { effects } = ask(first.run, { responder: E1, version: 3 });
    expect([effects.timers, effects.branches, effects.pages]).toEqual([[], [], []]);
  });

  it('to an alert that nobody was to respond to is the only one of its flow, which goes on', () => {
    const { effects, run } = ask(undefined, { responder: E1 });
    expect(run).toMatchObject({ running: true, cycle: 1, epoch: 1 });
    const fired = turnDue(run, { branchId: 'escalation:e1', ruleIndex: 0, round: 0 }, view(things), at('01:10'));
    expect([paged(effects), paged(fired)]).toEqual([[], ['ada']]);
  });

  it('waits for the end of the snooze where there is one', () => {
    const snoozed = observe(running(), asking({ responder: user('grace'), state: { snoozed: true } }));
    expect(snoozed.kind).toBe('stopped');
    if (snoozed.kind !== 'stopped') return;
    const again = ask(snoozed.run, { responder: user('edsger'), state: { snoozed: true }, version: 3 });
    expect(again.effects.pages).toEqual([]);
  });

  it('after an acknowledgement that ended a snooze is paged all the same', () => {
    const snoozed = observe(running(), asking({ responder: user('grace'), state: { snoozed: true } }));
    if (snoozed.kind !== 'stopped') throw new Error('the flow goes on');
    const { effects, run } = ask(snoozed.run, { responder: user('edsger'), state: { acknowledged: true }, version: 3 });
    expect(paged(effects)).toEqual(['edsger']);
    expect(run.epoch).toBeGreaterThan(snoozed.run.epoch);
  });
});

describe('an escalate (A9)', () => {
  const escalate = (run: Run, version = 2, state: Asking['state'] = {}) =>
    ask(run, { kind: 'escalated', responder: E1, version, state: { responders: [E1], ...state } });

  it('runs the next rule now, each time, and leaves the time of the others', () => {
    const first = escalate(running());
    expect(first.effects.pages).toMatchObject([{ userId: 'ada', pagedAt: at('00:10').toISOString() }]);
    expect(first.effects.timers).toEqual([]);
    const second = escalate(first.run, 3);
    expect(paged(second.effects)).toEqual(['grace']);
    const late = turnDue(second.run, { branchId: 'escalation:e1', ruleIndex: 1, round: 0 }, view(things), at('01:00'));
    expect(paged(late)).toEqual([]);
  });

  it('of an acknowledged alert reaches somebody while that is open', () => {
    expect(escalate(running(), 2, { acknowledged: true }).effects.pages).toMatchObject([
      { userId: 'ada', wantedWhile: 'open' },
    ]);
  });

  it('says so when no rule is left', () => {
    const exhausted = [2, 3, 4].reduce((run, version) => escalate(run, version).run, running());
    const { effects } = escalate(exhausted, 5);
    expect([paged(effects), outcomes(effects)]).toEqual([[], ['ended']]);
  });

  it('finds the escalation that a team runs, and adds nobody', () => {
    const team: Responder = { type: 'team', id: 'ops' };
    const { effects } = escalate(start([team], things).run, 2, { responders: [team] });
    expect([paged(effects), effects.orders]).toEqual([['ada'], []]);
  });

  it('of one that does not run fires its first rule now, keeps the delays of the others, and adds it', () => {
    const { effects, run } = escalate(start([user('edsger')]).run, 2, { responders: [user('edsger')] });
    expect(effects.pages).toMatchObject([{ userId: 'ada' }]);
    expect(effects.timers.map(({ dueAt }) => dueAt)).toEqual([at('01:20'), at('01:30')]);
    expect(effects.orders).toMatchObject([{ what: { kind: 'add-responder', responder: E1 } }]);
    const { effects: added } = ask(run, { responder: E1, version: 3 });
    expect([added.pages, added.timers]).toEqual([[], []]);
  });
});
