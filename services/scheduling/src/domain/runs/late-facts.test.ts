import { describe, expect, it } from '@jest/globals';
import type { AlertEvent, AlertFact, AlertState, Responder } from '@tocsin/contracts';
import { escalationOf, ruleFor, userOf } from '../../testing/on-call-samples.ts';
import { startedBy } from '../../testing/run-samples.ts';
import { observe } from './observe.ts';
import { isLive, type Run } from './run.ts';
import { paged, start, view } from '../../testing/settle-run-samples.ts';
import { requestsCarriedOut, settled } from './settle-run.ts';

const AT = '2026-01-01T01:00:00.000Z';
const E1: Responder = { type: 'escalation', id: 'e1' };
const E2: Responder = { type: 'escalation', id: 'e2' };
const user = (id: string) => ({ type: 'user', id }) as const;
const rules = ['ada', 'grace', 'edsger'].map((id, index) => ruleFor(user(id), { delayMinutes: 10 + index }));
const users = ['ada', 'grace', 'edsger', 'barbara', 'alan'].map((id) => userOf(id));
const things = { users, escalations: [escalationOf('e1', rules), escalationOf('e2', rules)] };

function event(version: number, fact: Partial<AlertFact> = {}, state: Partial<AlertState> = {}): AlertEvent {
  const kind = fact.responder === undefined ? 'noted' : 'responder-added';
  return {
    alertId: 'a1',
    version,
    acceptedAt: AT,
    state: startedBy(version, { responders: [E1], ...state }),
    facts: [{ factId: `f${String(version)}`, kind, actor: 'ada', at: AT, ...fact }],
  };
}

/** Who is paged by hand when `events` come in this order to an alert whose escalation runs, and the run after them. */
function asked(...events: readonly AlertEvent[]): { readonly pages: readonly string[]; readonly run: Run } {
  let { run } = start([E1], things);
  const pages: string[] = [];
  for (const each of events) {
    const observation = observe(run, each);
    if (observation.kind === 'stale') continue;
    run = observation.run;
    if (observation.requests.length === 0) continue;
    const effects = requestsCarriedOut(run, observation.requests, view(things), new Date(AT));
    pages.push(...paged(effects));
    run = settled(run, effects);
  }
  return { pages, run };
}

const added = event(2, { responder: user('barbara') });
const escalated = event(3, { kind: 'escalated', responder: E1 });
const note = event(4, {}, { message: 'Disk very full' });

describe('what an event asks for that comes after newer ones', () => {
  it('is done, once, and the state of the newer ones stays', () => {
    const { pages, run } = asked(note, added, escalated, added, escalated);
    expect(pages).toEqual(['barbara', 'ada']);
    expect(run).toMatchObject({ alertVersion: 4, alert: { message: 'Disk very full' } });
  });

  it.each([
    ['is closed', { status: 'closed' as const }],
    ['is snoozed', { snoozed: true }],
    ['has started its flow again, which pages everybody who was added', { cycle: 2 }],
  ])('is not done for an alert that %s by then', (_, state) => {
    expect(asked(event(4, {}, state), added, escalated).pages).toEqual([]);
  });

  it('keeps an escalation that was fired by hand and added after a stop which comes last', () => {
    const firedByHand = event(2, { kind: 'escalated', responder: E2 });
    const snoozed = event(3, { kind: 'snoozed' }, { snoozed: true });
    const addedAfterwards = event(4, { responder: E2 });
    const { pages, run } = asked(firedByHand, addedAfterwards, snoozed);
    expect(pages).toEqual(['ada']);
    expect(run.stoppedVersion).toBe(3);
    expect(run.branches.filter((branch) => isLive(run, branch)).map(({ id }) => id)).toEqual(['escalation:e2']);
  });

  it('tells a branch that waits for it that its order was carried out', () => {
    const { run } = start([E1], things);
    const [branch] = run.branches;
    if (branch === undefined) throw new Error('nothing was opened');
    const waiting: Run = { ...run, alertVersion: 4, branches: [{ ...branch, awaits: 'escalation:a1:1' }] };
    const reset = event(3, { kind: 'reset', factId: 'escalation:a1:1' });
    expect(observe(waiting, reset)).toMatchObject({ kind: 'changed', run: { alertVersion: 4 } });
    expect(observe({ ...waiting, branches: [branch] }, reset)).toEqual({ kind: 'stale' });
  });
});
