import type { Decision, Settlement } from '@tocsin/contracts';
import { GatheredHandler, type BatchHandler } from '@tocsin/messaging';
import type { RecordDecisions } from '../application/record-decisions.ts';
import { orFailure } from './failure.ts';

const DONE: Settlement = { outcome: 'done' };

/** Takes `decisions.v1` into the logs of alerts: what comes of several partitions at once, together. */
export function decisionsHandler(decisions: RecordDecisions): BatchHandler<Decision> {
  return new GatheredHandler({
    settle: (batches) => {
      const brought = batches.flatMap(({ records }) => records.map(({ value }) => value));
      return orFailure(decisions.record(brought).then((): Settlement => DONE));
    },
    bury: () => Promise.resolve(DONE),
  });
}
