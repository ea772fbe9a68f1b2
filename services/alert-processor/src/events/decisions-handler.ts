import type { Decision, Settlement } from '@tocsin/contracts';
import type { BatchHandler } from '@tocsin/messaging';
import type { RecordDecisions } from '../application/record-decisions.ts';
import { orFailure } from './failure.ts';

const DONE: Settlement = { outcome: 'done' };

/** Takes `decisions.v1` into the logs of alerts. */
export function decisionsHandler(decisions: RecordDecisions): BatchHandler<Decision> {
  return {
    settle: ({ records }) =>
      orFailure(decisions.record(records.map(({ value }) => value)).then((): Settlement => DONE)),
    bury: () => Promise.resolve(DONE),
  };
}
