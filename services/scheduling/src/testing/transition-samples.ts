import type { Responder } from '@tocsin/events';
import { finished } from '@tocsin/core';
import { type AppliedEvent, applyEvent } from '../paging/apply-event.ts';
import type { DueItem } from '../paging/due.ts';
import type { Effects } from '../paging/effects.ts';
import type { EscalationState } from '../paging/escalation-state.ts';
import { compileRouting, type RoutingView } from '../paging/routing.ts';
import { applyEffects, openCycle } from '../paging/transitions.ts';
import { openAlert } from './alert-samples.ts';
import { snapshotOf, userOf } from './on-call-samples.ts';

/** The view of routing where `things` exist, and users ada, grace and edsger. */
export const view = (things: Parameters<typeof snapshotOf>[0]): RoutingView => ({
  ...snapshotOf({ users: ['ada', 'grace', 'edsger'].map(userOf), ...things }),
  routing: compileRouting,
  pick: (items) => items[0],
});

function changedBy(responders: Responder[]): AppliedEvent {
  const applied = applyEvent(undefined, {
    alertId: 'a1',
    version: 1,
    state: openAlert({ responders }),
    facts: [],
    acceptedAt: '2026-01-01T00:00:00.000Z',
  });
  if (applied === undefined) throw new Error('the sample does not start a flow');
  return applied;
}

/** An escalation state of an alert with `responders` that starts at `now`. */
export function start(
  responders: Responder[],
  things: Parameters<typeof snapshotOf>[0] = {},
  now = new Date('2026-01-01T00:00:00Z'),
): { readonly state: EscalationState; readonly effects: Effects; readonly view: RoutingView } {
  const { opening, state } = changedBy(responders);
  if (opening === undefined) throw new Error('the sample does not start a flow');
  const effects = finished(openCycle(state, opening, view(things), now));
  return { state: applyEffects(state, effects), effects, view: view(things) };
}

/** A rule of an active escalation that is due. */
export const dueRule = (routeId: string, ruleIndex: number, repeatNumber = 0): DueItem => ({
  kind: 'rule',
  routeId,
  ruleIndex,
  repeatNumber,
  dueAt: new Date('2026-01-01T00:00:00Z'),
});

/** The users who are paged, in order. */
export const paged = (effects: { pages: readonly { userId: string }[] }): readonly string[] =>
  effects.pages.map(({ userId }) => userId);
/** The outcome of each decision, in order. */
export const outcomes = (effects: { findings: readonly { outcome: string }[] }): readonly string[] =>
  effects.findings.map(({ outcome }) => outcome);
