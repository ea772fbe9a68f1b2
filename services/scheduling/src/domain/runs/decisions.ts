import type { Decision } from '@tocsin/contracts';
import { dueKey, type DueItem } from './due.ts';
import type { RunEffects } from './effects.ts';
import type { Run } from './run.ts';
import type { Transition } from './settle-run.ts';

/**
 * The step of something that was due. A look-up begins anew under the same key in each round of its escalation, so the name has the
 * instant too: the log keeps one decision of each id.
 */
export const dueStep = (run: Run, item: DueItem, effects: RunEffects): Transition => ({
  name: `${dueKey(item)}@${effects.at.toISOString()}`,
  run,
  effects,
});

/** The decision that logs a step, under an id that no other step of the run has; none where the step says nothing. */
export function decisionsOf({ name, run, effects }: Transition): readonly Decision[] {
  if (effects.verdicts.length === 0) return [];
  return [
    {
      decisionId: `route:${run.alertId}:${run.alert.cycle}:${name}`,
      alertId: run.alertId,
      stage: 'route',
      at: effects.at.toISOString(),
      verdicts: [...effects.verdicts],
    },
  ];
}
