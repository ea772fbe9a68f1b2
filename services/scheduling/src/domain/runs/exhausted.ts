import type { RunEffects } from './effects.ts';
import { isCall } from './news.ts';
import { endOfRound, goesOn, ruleKey, type Branch, type Run } from './run.ts';

/** How long the user who was paged last has to acknowledge. By then all default steps of a user have been sent (U1). */
const WAIT_MS = 10 * 60_000;

/** Whether the flow goes on without an acknowledgement, has done all that it can, and has not said so in this cycle. */
export const isSpent = (run: Run): boolean =>
  run.begun &&
  goesOn(run.alert) &&
  !run.alert.acknowledged &&
  !run.isExhausted &&
  run.lookUps.length === 0 &&
  isDone(
    run,
    run.branches.filter(({ isStopped }) => !isStopped),
  );

/** Whether all rules of `branches` have fired and nothing follows them. There may be 20 000: mostly their number tells. */
function isDone(run: Run, branches: readonly Branch[]): boolean {
  if (branches.reduce((sum, { rules }) => sum + rules.length, 0) > run.fired.length) return false;
  if (branches.some((branch) => branch.awaits !== undefined || endOfRound(branch) !== undefined)) return false;
  const fired = new Set(run.fired);
  return branches.every((branch) => branch.rules.every((_, index) => fired.has(ruleKey(branch, index))));
}

/**
 * The run after a settlement at `at`: where that fired a rule or paged a user and left the run nothing to do, it says after a wait
 * that it is exhausted.
 */
export function withExhausted(run: Run, effects: readonly RunEffects[], at: Date): Run {
  const did = effects.some(({ fired, lookedUp, pages }) => fired.size + lookedUp > 0 || pages.some(isCall));
  return did && isSpent(run) ? { ...run, exhaustedDueAt: new Date(at.getTime() + WAIT_MS) } : run;
}

/** Says that nobody has acknowledged and that nobody is left to page. */
export function sayExhausted(run: Run, effects: RunEffects): void {
  effects.exhausted = true;
  const text =
    'Nobody has acknowledged the alert, and nobody is left to be paged: its flow has done all that it could.';
  effects.say('flow', 'exhausted', text, { cycle: run.alert.cycle, paged: run.reached.length });
}
