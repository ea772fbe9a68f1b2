import type { TimerRow } from '@tocsin/timers';
import type { RuleTimer } from '../../domain/runs/effects.ts';
import type { RuleClaim } from '../../ports/run-store.ts';

/** The same id however often the timer is set: one for each rule, round and opening of a branch. */
export const timerId = ({ alertId, branchId, openedBy, round, ruleIndex }: RuleTimer): string =>
  `${alertId}:${openedBy}:${branchId}#${ruleIndex}${round === 0 ? '' : `~${round}`}`;

/** What the row of a timer carries; the first round goes without saying. */
export const timerPayload = ({ alertId, branchId, round, ruleIndex }: RuleTimer): RuleClaim['payload'] => ({
  alertId,
  branchId,
  ruleIndex,
  ...(round > 0 && { round }),
});

/** The row of a timer. */
export const toTimer = (timer: RuleTimer): TimerRow<RuleClaim['payload']> => ({
  id: timerId(timer),
  dueAt: timer.dueAt,
  fence: timer.openedBy,
  payload: timerPayload(timer),
});
