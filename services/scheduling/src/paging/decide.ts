import type { AlertEvent } from '@tocsin/events';
import { applyEvent, concernsPages, hasResponders, newState, type supersededAmong } from './apply-event.ts';
import { erasesOf } from './cancels.ts';
import { ownerUpdatesOf } from './status-updates.ts';
import type { RoutingView } from './routing.ts';
import { combineTransitions, type StateChange } from './state-change.ts';
import { foldChanges, type EscalationState } from './escalation-state.ts';
import { notifyOfUpdates, computeTransitions } from './transitions.ts';

/** The input of the decisions about events. */
export interface EventContext {
  /** The configuration of one instant, with the users and teams to whom the events lead. */
  readonly view: RoutingView;
  readonly now: Date;
  readonly isSuperseded: ReturnType<typeof supersededAmong>;
}

/** The change that an event makes. */
export interface EventChange extends StateChange {
  /** Whether it starts a flow, whose latency is measured. */
  readonly startsFlow?: true;
}

/** The changes that events make to the escalation states of their alerts, one after the other. */
export const decideEvents = (
  states: ReadonlyMap<string, EscalationState>,
  events: readonly AlertEvent[],
  context: EventContext,
): readonly EventChange[] =>
  foldChanges(
    events.filter(concernsPages),
    states,
    ({ alertId }) => alertId,
    (state, event) => decide(state, event, context),
  );

/** The change that an event makes to the escalation state of its alert; undefined where it is a repeat. */
export function decide(
  state: EscalationState | undefined,
  event: AlertEvent,
  { isSuperseded, now, view }: EventContext,
): EventChange | undefined {
  if (!hasResponders(event)) return decideWithoutState(event, view, now);
  const applied = applyEvent(state, event, isSuperseded(event));
  if (applied === undefined) return undefined;
  const { state: after, transitions } = computeTransitions(applied, view, now);
  const named = transitions.map((transition) => ({ ...transition, name: `${event.version}:${transition.name}` }));
  const change = combineTransitions(after, named, now, applied.cancels);
  return applied.opening?.mode === 'page' ? { ...change, startsFlow: true } : change;
}

/**
 * Notifies the new owner of an alert without responders, or erases its pages. It stores no state: a repeat of the event makes pages
 * with the same ids.
 */
function decideWithoutState(event: AlertEvent, view: RoutingView, now: Date): EventChange {
  const state = newState(event);
  const effects = notifyOfUpdates(state, ownerUpdatesOf(event), view, now);
  const cancels = event.state.status === 'deleted' ? erasesOf(event.alertId, []) : [];
  return combineTransitions(undefined, [{ name: `${event.version}:notified`, state, effects }], now, cancels);
}
