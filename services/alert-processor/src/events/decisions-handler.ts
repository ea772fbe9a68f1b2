import type { Decision, Settlement } from '@tocsin/contracts';
import { GatheredHandler, type BatchHandler } from '@tocsin/messaging';
import { failureOf } from '@tocsin/persistence';
import type { RecordDecisions } from '../application/record-decisions.ts';

const DONE: Settlement = { outcome: 'done' };

/** Takes `decisions.v1` into the logs of alerts: what comes of several partitions at once, together. */
export function decisionsHandler(decisions: RecordDecisions): BatchHandler<Decision> {
  return new GatheredHandler({
    settle: (batches) => {
      const brought = batches.flatMap(({ records }) => records.map(({ value }) => value));
      return decisions.record(brought).then(() => DONE, failureOf);
    },
    bury: () => Promise.resolve(DONE),
  });
}
