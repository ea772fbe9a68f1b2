import type { AlertEvent } from '@tocsin/contracts';
import type { AlertStanding } from '../domain/wanted.ts';

/** What the notifier keeps of an event. */
export function standingOf({ alertId, version, state }: AlertEvent): AlertStanding {
  return {
    alertId,
    version,
    status: state.status,
    acknowledged: state.acknowledged,
    snoozed: state.snoozed,
    cycle: state.cycle,
  };
}
