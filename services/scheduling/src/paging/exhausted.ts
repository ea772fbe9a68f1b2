import { isCall } from '@tocsin/events';
import type { Effects } from './effects.ts';
import {
  nextRepeatAt,
  isFlowActive,
  ruleKey,
  type ActiveEscalation,
  type EscalationState,
} from './escalation-state.ts';

/** How long the last paged user has to acknowledge before the flow counts as exhausted: by then all default steps of a user have been sent (U1). */
const ACKNOWLEDGE_TIMEOUT_MS = 10 * 60_000;

/**
 * Whether the flow of an alert has ended without an acknowledgement: each rule has fired or was skipped, and no repeat and no look-up
 * follows. False once this was logged in the present cycle, so that it is logged once.
 */
export const hasFlowEnded = (state: EscalationState): boolean =>
  state.hasStarted &&
  isFlowActive(state.alert) &&
  !state.alert.acknowledged &&
  !state.isExhausted &&
  state.lookUps.length === 0 &&
  isDone(
    state,
    state.escalations.filter(({ isStopped }) => !isStopped),
  );

/** Whether all rules of `escalations` are done, and no repeat follows. Compares the counts first, because there may be 20 000 rules. */
function isDone(state: EscalationState, escalations: readonly ActiveEscalation[]): boolean {
  if (escalations.reduce((sum, { rules }) => sum + rules.length, 0) > state.done.length) return false;
  if (escalations.some((active) => active.awaitedOrderId !== undefined || nextRepeatAt(active) !== undefined))
    return false;
  const done = new Set(state.done);
  return escalations.every((active) => active.rules.every((_, index) => done.has(ruleKey(active, index))));
}

/**
 * The escalation state after transitions at `at`. Where they fired or skipped a rule, tried a look-up or paged a user, and the flow has
 * ended with them, the state is due once more, ten minutes later: the log then says that the flow is exhausted.
 */
export function withExhausted(state: EscalationState, effects: readonly Effects[], at: Date): EscalationState {
  const hasProgress = effects.some(
    ({ rules, lookedUp, pages }) => rules.hasChanged || lookedUp > 0 || pages.some(isCall),
  );
  return hasProgress && hasFlowEnded(state)
    ? { ...state, exhaustedDueAt: new Date(at.getTime() + ACKNOWLEDGE_TIMEOUT_MS) }
    : state;
}

/** Logs that the flow is exhausted. */
export function logExhausted(state: EscalationState, effects: Effects): void {
  effects.exhausted = true;
  const text = 'No user has acknowledged the alert, and all its escalations have ended.';
  effects.logDecision('flow', 'exhausted', text, { cycle: state.alert.cycle, paged: state.reached.length });
}
