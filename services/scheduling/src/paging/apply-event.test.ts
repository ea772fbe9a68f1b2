import { describe, expect, it } from '@jest/globals';
import type { AlertEvent, AlertFact, AlertState, FlowStart, Responder } from '@tocsin/events';
import { applyEvent } from './apply-event.ts';
import { diskFull } from '../testing/alert-samples.ts';
import type { EscalationState } from './escalation-state.ts';

const flow: FlowStart = { responders: 1 };

const event = (version: number, change: Partial<AlertState> = {}, facts: AlertFact[] = []): AlertEvent => ({
  alertId: 'a1',
  version,
  facts,
  acceptedAt: '2026-01-01T00:00:00.000Z',
  state: { ...diskFull, flow, ...change },
});

const E1: Responder = { type: 'escalation', id: 'e1' };
const escalated: AlertFact = {
  factId: 'f1',
  kind: 'escalated',
  actor: 'ada',
  at: '2026-01-01T00:00:00.000Z',
  responder: E1,
};

const cycle2 = { cycle: 2, flow };

/** How each of `events` starts a cycle, in the order in which they come, and the escalation state after them. */
function after(...events: AlertEvent[]): {
  state: EscalationState | undefined;
  starts: readonly (string | undefined)[];
} {
  let state: EscalationState | undefined;
  const starts = events.map((each) => {
    const applied = applyEvent(state, each);
    if (applied === undefined) return 'repeat';
    state = applied.state;
    return applied.opening?.mode;
  });
  return { state, starts };
}

describe('applyEvent', () => {
  it('starts each cycle once, with its first event', () => {
    expect(after(event(1), event(2), event(3, cycle2)).starts).toEqual(['page', undefined, 'page']);
  });

  it('changes nothing by an event that comes again, however late and whatever its state', () => {
    const events = [event(1), event(2, { snoozed: true }), event(3, cycle2), event(5, { ...cycle2, status: 'closed' })];
    const { state } = after(...events);
    const { state: again, starts } = after(...events, ...events);
    expect(starts.slice(4)).toEqual(['repeat', 'repeat', 'repeat', 'repeat']);
    expect(again).toEqual(state);
  });

  it('starts a cycle whose first events are missing with the first responders', () => {
    const added = event(4, { responders: [{ type: 'user', id: 'ada' }, ...diskFull.responders] });
    expect(applyEvent(undefined, added)).toMatchObject({ opening: { responders: [{ id: 'ada' }], mode: 'page' } });
    expect(after(event(1), event(7, cycle2)).starts).toEqual(['page', 'page']);
  });

  it('does not start a flow that is held, suppressed, snoozed or closed', () => {
    const silent: readonly Partial<AlertState>[] = [
      { notifications: { kind: 'delayed' } },
      { notifications: { kind: 'suppressed', reason: 'policy' } },
      { snoozed: true },
      { status: 'closed' },
    ];
    expect(silent.flatMap((state) => after(event(1, state)).starts)).toEqual(silent.map(() => undefined));
  });

  it('does not start a flow that was held at first, also where a snooze and an acknowledgement end the hold', () => {
    const [held, snoozed] = [event(1, { notifications: { kind: 'delayed' } }), event(2, { snoozed: true })];
    expect(after(held, snoozed, event(3, { acknowledged: true })).starts).toEqual([undefined, undefined, undefined]);
  });

  it('opens a held cycle for an escalate request, so that its next rule is found, and pages no responder by that', () => {
    const held = { notifications: { kind: 'delayed' as const } };
    expect(after(event(1, held), event(2, held, [escalated]), event(3, held, [escalated])).starts).toEqual([
      undefined,
      'stopped',
      undefined,
    ]);
  });

  it('pages no responder of a cycle that another one follows in the same batch', () => {
    expect(applyEvent(undefined, event(1), true)).toMatchObject({ opening: { mode: 'superseded' } });
    const added: AlertFact = { ...escalated, kind: 'responder-added' };
    expect(applyEvent(undefined, event(1, {}, [added]), true)).toMatchObject({ requests: [] });
    expect(applyEvent(undefined, event(1, {}, [escalated]), true)).toMatchObject({ requests: [{ factId: 'f1' }] });
  });

  it('continues after an acknowledgement and ends with a close, of which only the close is kept', () => {
    const { state } = after(event(1), event(2, { acknowledged: true }));
    expect(state).toMatchObject({ hasStarted: true, alert: { acknowledged: true } });
    expect(after(event(1), event(3, { status: 'closed' })).state).toMatchObject({ escalations: [], done: [] });
  });

  it('keeps no content of a deleted alert, and is not restored by a repeat (A6)', () => {
    const details = { secret: 'secret' };
    const content = {
      message: 'secret',
      alias: 'secret',
      description: 'secret',
      details,
      tags: ['secret'],
      owner: 'secret',
    };
    const [first, second] = [event(1, content), event(2, { ...content, snoozed: true })];
    const { starts, state } = after(first, second, event(3, { ...content, status: 'deleted' }), first, second);
    expect(starts).toEqual(['page', undefined, undefined, 'repeat', 'repeat']);
    expect(state).toMatchObject({ alertId: 'a1', alertVersion: 3, alert: { status: 'deleted', responders: [] } });
    expect(JSON.stringify(state)).not.toContain('secret');
  });
});
