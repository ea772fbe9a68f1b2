import type { Decision } from '@tocsin/contracts';
import { timerKey, type DueTimer } from './rule-timer.ts';
import type { RunEffects } from './effects.ts';
import type { Run } from './run.ts';
import type { SettledStep } from './settle-run.ts';

/**
 * The step of a timer that fired. A look-up begins anew under the same key in each round of its escalation, so the name has the
 * instant too: the log keeps one decision of each id.
 */
export const timerStep = (run: Run, timer: DueTimer, effects: RunEffects): SettledStep => ({
  name: `${timerKey(timer)}@${effects.at.toISOString()}`,
  run,
  effects,
});

/** The decision that logs a step, under an id that no other step of the run has; none where the step says nothing. */
export function decisionsOf({ name, run, effects }: SettledStep): readonly Decision[] {
  if (effects.verdicts.length === 0) return [];
  return [
    {
      decisionId: `route:${run.alertId}:${run.cycle}:${name}`,
      alertId: run.alertId,
      stage: 'route',
      at: effects.at.toISOString(),
      verdicts: [...effects.verdicts],
    },
  ];
}
