import { isCall } from '@tocsin/events';
import type { Effects } from './effects.ts';
import { nextRepeatAt, goesOn, ruleKey, type ActiveEscalation, type EscalationState } from './escalation-state.ts';

/** How long the last paged user has to acknowledge: all default steps of a user have been sent by then (U1). */
const WAIT_MS = 10 * 60_000;

/** Whether the alert is not acknowledged, its escalations have ended, and this was not logged in this cycle. */
export const hasFinished = (state: EscalationState): boolean =>
  state.hasStarted &&
  goesOn(state.alert) &&
  !state.alert.acknowledged &&
  !state.isExhausted &&
  state.lookUps.length === 0 &&
  isDone(
    state,
    state.escalations.filter(({ isStopped }) => !isStopped),
  );

/** Whether all rules of `escalations` are done and nothing follows them. Compares the counts first: there may be 20 000 rules. */
function isDone(state: EscalationState, escalations: readonly ActiveEscalation[]): boolean {
  if (escalations.reduce((sum, { rules }) => sum + rules.length, 0) > state.done.length) return false;
  if (escalations.some((active) => active.awaitedOrderId !== undefined || nextRepeatAt(active) !== undefined))
    return false;
  const done = new Set(state.done);
  return escalations.every((active) => active.rules.every((_, index) => done.has(ruleKey(active, index))));
}

/**
 * The escalation state after a transition at `at`: where a rule became done in it or it paged a user, and it left the state nothing to do, it is logged as exhausted
 * after a wait.
 */
export function withExhausted(state: EscalationState, effects: readonly Effects[], at: Date): EscalationState {
  const did = effects.some(({ rules, lookedUp, pages }) => rules.hasChanged || lookedUp > 0 || pages.some(isCall));
  return did && hasFinished(state) ? { ...state, exhaustedDueAt: new Date(at.getTime() + WAIT_MS) } : state;
}

/** Logs that no user has acknowledged and that all escalations have ended. */
export function logExhausted(state: EscalationState, effects: Effects): void {
  effects.exhausted = true;
  const text = 'No user has acknowledged the alert, and all its escalations have ended.';
  effects.logDecision('flow', 'exhausted', text, { cycle: state.alert.cycle, paged: state.reached.length });
}
