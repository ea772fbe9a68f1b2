import type { Decision, Settlement } from '@tocsin/contracts';
import { GatheredHandler, type BatchHandler } from '@tocsin/messaging';
import { failureOf } from '@tocsin/persistence';
import { decisionEntries } from '../domain/decision-entries.ts';
import type { DecisionLog } from '../ports/decision-log.ts';

const DONE: Settlement = { outcome: 'done' };

/**
 * Writes `decisions.v1` into the logs of alerts, even if the alert is not known yet (promise 2). Batches of several
 * partitions that arrive at once are written together. Idempotent.
 */
export function decisionsHandler(log: DecisionLog): BatchHandler<Decision> {
  return new GatheredHandler({
    settle: (batches) => {
      const entries = batches.flatMap(({ records }) => records.flatMap(({ value }) => decisionEntries(value)));
      return log.append(entries).then(() => DONE, failureOf);
    },
    bury: () => Promise.resolve(DONE),
  });
}
