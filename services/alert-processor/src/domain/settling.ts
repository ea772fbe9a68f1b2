import type { AlertEvent, AlertFact } from '@tocsin/contracts';
import { AlertBatch, type AlertBatchChanges } from './alert-batch.ts';
import { entriesOf, evolve } from './alert-change.ts';
import { stateOf, type Alert } from './alert.ts';
import type { Cause, Changed } from './decided.ts';
import type { LogEntry, Note } from './history.ts';
import { happeningsOf, type Happening } from './webhooks/happening.ts';

/** What the changes of alerts write. */
export interface SettledChanges extends AlertBatchChanges {
  readonly logs: readonly LogEntry[];
  readonly notes: readonly Note[];
  /** When they were settled. */
  readonly settledAt: Date;
  /** In the order of the changes, so the versions of one alert grow. */
  readonly events: readonly AlertEvent[];
  /** What webhooks may want to be told of, in the order of the changes; empty if no integration wants any. */
  readonly happenings: readonly Happening[];
}

/** What {@link Settling} needs besides the stored alerts. */
export interface SettlingContext {
  readonly processedAt: Date;
  /** Whether any integration wants webhooks. */
  readonly tellsWebhooks?: boolean;
}

/** Collects what changes of alerts write, one after the other. Each sees the changes before it. */
export class Settling {
  readonly alerts: AlertBatch;
  readonly #context: SettlingContext;
  readonly #logs: LogEntry[] = [];
  readonly #notes: Note[] = [];
  readonly #events: AlertEvent[] = [];
  readonly #happenings: Happening[] = [];

  constructor(stored: readonly Alert[], context: SettlingContext) {
    this.alerts = new AlertBatch(stored);
    this.#context = context;
  }

  /** Makes a change of `before`, which is undefined if the alert is new. Returns the alert after it; a deleted one as it was last. */
  make(before: Alert | undefined, { change, fact }: Changed, cause: Cause): Alert | undefined {
    const { processedAt, tellsWebhooks = false } = this.#context;
    const next = evolve(before, change, processedAt);
    const after = next ?? (before && { ...before, version: before.version + 1 });
    if (after === undefined) return undefined;
    if (next === undefined) this.alerts.remove(after);
    else this.alerts.put(after);
    const { logs, notes } = entriesOf(after.id, before?.lastPosition, change);
    this.#logs.push(...logs);
    this.#notes.push(...notes);
    if (!isTold(change)) return after;
    this.#events.push(...eventsOf(cause, { alert: after, isRemoved: next === undefined, fact }));
    if (tellsWebhooks) this.#happenings.push(...happeningsOf({ cause, fact, before, after }));
    return after;
  }

  changes(): SettledChanges {
    const isLasting = ({ alertId }: { readonly alertId: string }): boolean => !this.alerts.isRemoved(alertId);
    return {
      ...this.alerts.changes(),
      settledAt: this.#context.processedAt,
      logs: this.#logs.filter(isLasting),
      notes: this.#notes.filter(isLasting),
      events: this.#events,
      happenings: this.#happenings,
    };
  }
}

/** Whether others may be told of it, by an event or a webhook. */
const isTold = ({ kind }: Changed['change']): boolean => kind !== 'repeated' && kind !== 'left-out';

interface Outcome {
  readonly alert: Alert;
  readonly isRemoved: boolean;
  readonly fact: AlertFact | undefined;
}

/**
 * The event of a change. A repeat has none, because others do not know the count. An alert without responders has none
 * (F4), except when a new owner must be told (A9), or when an alert with an owner is deleted: responders are never
 * removed, so nobody else can have been paged yet. The first event with responders says how the cycle began.
 */
function eventsOf(cause: Cause, { alert, fact, isRemoved }: Outcome): readonly AlertEvent[] {
  const toOwner = isRemoved ? alert.owner !== '' : fact?.kind === 'assigned';
  if (alert.responders.length === 0 && !toOwner) return [];
  const state = isRemoved ? { ...stateOf(alert), status: 'deleted' as const } : stateOf(alert);
  const facts = fact === undefined ? [] : [fact];
  const { acceptedAt, trace } = cause;
  return [{ alertId: alert.id, version: alert.version, state, facts, acceptedAt, ...(trace && { trace }) }];
}
