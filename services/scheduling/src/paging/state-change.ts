import type { AlertCommand, Cancel, Decision, Erase, IntegrationReference, Page } from '@tocsin/events';
import { decisionsOf } from './decisions.ts';
import type { AlertOrder } from './effects.ts';
import type { EscalationState } from './escalation-state.ts';
import { withExhausted } from './exhausted.ts';
import type { Transition } from './transitions.ts';

/** The writes for one escalation state in one transaction. */
export interface StateChange {
  /** When it is written: the retention of a closed or deleted alert's escalation state counts from its last change. */
  readonly at: Date;
  /** Absent where no state is stored: the new owner of an alert without responders is notified. */
  readonly state: EscalationState | undefined;
  /** The cancels and erases of earlier pages. They are written before `pages`. */
  readonly cancels: readonly (Cancel | Erase)[];
  readonly pages: readonly Page[];
  /** Commands for alert-processor. */
  readonly commands: readonly AlertCommand[];
  readonly decisions: readonly Decision[];
  /** How many rules, and schedules reached without a rule, found no recipient. */
  readonly withoutRecipient: number;
  /** How many times the flow became exhausted. */
  readonly exhausted: number;
}

/** A change that pages no user. */
export const changeWithoutPages = (
  state: EscalationState | undefined,
  decisions: readonly Decision[],
  at: Date,
): StateChange => ({ at, state, cancels: [], pages: [], commands: [], decisions, withoutRecipient: 0, exhausted: 0 });

/** The change that `transitions` make: they leave `state`, and `cancels` end pages that were ordered before. */
export function combineTransitions(
  state: EscalationState | undefined,
  transitions: readonly Transition[],
  at: Date,
  cancels: StateChange['cancels'] = [],
): StateChange {
  const effects = transitions.map((transition) => transition.effects);
  return {
    at,
    state: state && withExhausted(state, effects, at),
    cancels,
    pages: effects.flatMap(({ pages }) => pages),
    commands: transitions.flatMap(({ state: before, effects: { at: then, orders } }) =>
      orderCommands(before, orders, then),
    ),
    decisions: transitions.flatMap(decisionsOf),
    withoutRecipient: effects.reduce((sum, { withoutRecipient }) => sum + withoutRecipient, 0),
    exhausted: effects.filter(({ exhausted }) => exhausted).length,
  };
}

/** The integration that these commands name. It belongs to no team, so the rights of no team limit them. */
const INTEGRATION: IntegrationReference = { id: 'scheduling', name: 'Tocsin', type: 'System' };
const ACTOR = 'System';

/**
 * The orders of an escalation state as commands, accepted at `at`. The id of an order follows from the state, so a batch that is processed
 * twice gives the same commands.
 */
export function orderCommands(
  { alert: { cycle }, alertId, trace }: EscalationState,
  orders: readonly AlertOrder[],
  at: Date,
): readonly AlertCommand[] {
  return orders.map(({ id, action }): AlertCommand => {
    const common = {
      requestId: id,
      identifier: { type: 'id' as const, value: alertId },
      integration: INTEGRATION,
      actor: ACTOR,
      source: ACTOR,
      acceptedAt: at.toISOString(),
      ...(trace !== undefined && { trace }),
    };
    // Added responders stay in every cycle; all other orders are about the present one.
    return action.kind === 'add-responder' ? { ...common, ...action } : { ...common, ...action, cycle };
  });
}
