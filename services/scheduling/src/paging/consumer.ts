import type { AlertEvent, ConsumedRecord } from '@tocsin/events';
import type { Stages } from '@tocsin/kafka';
import type { EscalationEngine } from './operations.ts';
import { concernsPages } from './apply-event.ts';
import { decideEvents, type EventChange, type EventContext } from './decide.ts';
import type { EscalationState } from './escalation-state.ts';
import type { EscalationStateStore } from './store.ts';

/** The session of the store's transaction. */
type Session = Parameters<EscalationStateStore['write']>[0];

/** Consumes `alert-events.v1`: starts, changes and stops the escalations of alerts. */
export const alertEvents = (
  engine: EscalationEngine,
  store: EscalationStateStore,
): Stages<AlertEvent, Session, EventContext, ReadonlyMap<string, EscalationState>, readonly EventChange[]> => ({
  prepare: (records) => engine.prepareEvents(eventsOf(records)),
  read: (session, records) => {
    const events = eventsOf(records).filter(concernsPages);
    return store.find(
      events.map(({ alertId }) => alertId),
      session,
    );
  },
  decide: (states, records, context) => decideEvents(states, eventsOf(records), context),
  write: (session, changes) => store.write(session, changes),
  deadLetter: (session, { value }, reason) => store.write(session, [engine.failedEvent(value, reason)]),
  committed: (changes) => {
    engine.committed(changes);
  },
});

const eventsOf = (records: readonly ConsumedRecord<AlertEvent>[]): readonly AlertEvent[] =>
  records.map(({ value }) => value);
