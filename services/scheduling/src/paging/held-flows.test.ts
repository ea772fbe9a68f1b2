import { describe, expect, it } from '@jest/globals';
import type { Responder } from '@tocsin/events';
import { escalationOf, ruleFor } from '../testing/on-call-samples.ts';
import { AlertOwner, T0, type Step } from '../testing/alert-owner-samples.ts';
import { view } from '../testing/transition-samples.ts';
import { applyEvent } from './apply-event.ts';
import type { EscalationState } from './escalation-state.ts';
import { computeTransitions } from './transitions.ts';

const user = (id: string): Responder => ({ type: 'user', id });
const E1: Responder = { type: 'escalation', id: 'e1' };
const snapshot = view({
  escalations: [escalationOf('e1', [ruleFor({ type: 'user', id: 'ada' }, { delayMinutes: 5 })])],
});

/** Who is called by each event of an alert that is held at first, with the cycle. */
function pagesOf(...steps: readonly Step[]): readonly (readonly string[])[] {
  const owner = new AlertOwner([user('grace'), E1], true);
  for (const step of steps) owner.take(step);
  let state: EscalationState | undefined;
  return owner.events.map((event) => {
    const applied = applyEvent(state, event);
    if (applied === undefined) return ['repeat'];
    const after = computeTransitions(applied, snapshot, T0);
    state = after.state;
    const calls = after.transitions.flatMap(({ effects }) =>
      effects.pages.filter(({ statusUpdate }) => statusUpdate === undefined),
    );
    return calls.map(({ cycle, userId }) => `${userId} ${String(cycle)}`);
  });
}

describe('an alert whose flow is held', () => {
  it('pages no user until it is released, and then all users', () => {
    expect(pagesOf({ kind: 'note' }, { kind: 'release' })).toEqual([[], [], ['grace 2']]);
  });

  it('fires the first rule of an escalation at once when a user asks for it, and from the beginning at its release (P16)', () => {
    const pages = pagesOf({ kind: 'escalate', which: E1 }, { kind: 'release' });
    expect(pages).toEqual([[], ['ada 1'], ['grace 2']]);
  });

  it('lets the user who is added join at its release, and pages them no sooner (P16)', () => {
    const pages = pagesOf({ kind: 'add', which: user('edsger') }, { kind: 'release' });
    expect(pages).toEqual([[], [], ['grace 2', 'edsger 2']]);
  });

  it('pages no user when an acknowledgement is taken back before the release (P16)', () => {
    expect(pagesOf({ kind: 'acknowledge' }, { kind: 'unacknowledge' })).toEqual([[], [], []]);
  });

  it('pages at the end of a snooze instead, where it was snoozed (P16)', () => {
    const pages = pagesOf({ kind: 'snooze' }, { kind: 'note' }, { kind: 'end-snooze' });
    expect(pages).toEqual([[], [], [], ['grace 2']]);
  });
});

describe('an alert whose flow starts again by itself', () => {
  it('pages again from the beginning, once for each time', () => {
    const pages = pagesOf({ kind: 'release' }, { kind: 'restart' }, { kind: 'note' }, { kind: 'restart' });
    expect(pages).toEqual([[], ['grace 2'], ['grace 3'], [], ['grace 4']]);
  });
});
