import type { AlertCommand, AlertEvent, AlertFact } from '@tocsin/events';
import type { LogEntry, Note } from '../alert-log/entry.ts';
import { toWebhookEvents, type WebhookEvent } from '../webhooks/webhook-event.ts';
import { entriesOf, evolve } from './alert-change.ts';
import { type Alert, resolveAlias, stateOf } from './alert.ts';
import { aliasOf } from './create.ts';
import type { Cause, Changed } from './decided.ts';

/** The writes of changes of alerts. */
export interface CollectedChanges extends AlertBatchChanges {
  readonly logs: readonly LogEntry[];
  readonly notes: readonly Note[];
  /** When they were processed. */
  readonly processedAt: Date;
  /** In the order of the changes, so the versions of one alert grow. */
  readonly events: readonly AlertEvent[];
  /** The events that webhooks may select, in the order of the changes; empty if there is no webhook. */
  readonly webhookEvents: readonly WebhookEvent[];
}

/** The input of {@link ChangeCollector} besides the stored alerts. */
export interface ChangeContext {
  readonly processedAt: Date;
  /** Whether any integration is a webhook. */
  readonly hasWebhooks?: boolean;
}

/** Collects the writes of changes of alerts, one after the other. Each sees the changes before it. */
export class ChangeCollector {
  readonly alerts: AlertBatch;
  readonly #context: ChangeContext;
  readonly #logs: LogEntry[] = [];
  readonly #notes: Note[] = [];
  readonly #events: AlertEvent[] = [];
  readonly #webhookEvents: WebhookEvent[] = [];

  constructor(stored: readonly Alert[], context: ChangeContext) {
    this.alerts = new AlertBatch(stored);
    this.#context = context;
  }

  /**
   * Makes a change of `before`, which is undefined if the alert is new. Returns the alert after the change; a deleted one in its last
   * state.
   */
  make(before: Alert | undefined, { change, fact }: Changed, cause: Cause): Alert | undefined {
    const { processedAt, hasWebhooks = false } = this.#context;
    const next = evolve(before, change, processedAt);
    const after = next ?? (before && { ...before, version: before.version + 1 });
    if (after === undefined) return undefined;
    if (next === undefined) this.alerts.remove(after);
    else this.alerts.put(after);
    const { logs, notes } = entriesOf(after.id, before?.lastPosition, change);
    this.#logs.push(...logs);
    this.#notes.push(...notes);
    if (!isPublished(change)) return after;
    this.#events.push(...eventsOf(cause, { alert: after, isRemoved: next === undefined, fact }));
    if (hasWebhooks) this.#webhookEvents.push(...toWebhookEvents({ cause, fact, before, after }));
    return after;
  }

  changes(): CollectedChanges {
    const isLasting = ({ alertId }: { readonly alertId: string }): boolean => !this.alerts.isRemoved(alertId);
    return {
      ...this.alerts.changes(),
      processedAt: this.#context.processedAt,
      logs: this.#logs.filter(isLasting),
      notes: this.#notes.filter(isLasting),
      events: this.#events,
      webhookEvents: this.#webhookEvents,
    };
  }
}

/** Whether the change is published, by an event or a webhook. */
const isPublished = ({ kind }: Changed['change']): boolean => kind !== 'repeated' && kind !== 'left-out';

interface Outcome {
  readonly alert: Alert;
  readonly isRemoved: boolean;
  readonly fact: AlertFact | undefined;
}

/**
 * The event of a change. A repeat has none, because other services do not know the count. An alert without responders has none (F4),
 * except when a new owner must be notified (A9), or when an alert with an owner is deleted: responders are never removed, so no other
 * user can have been paged yet. The first event with responders says how the cycle began.
 */
function eventsOf(cause: Cause, { alert, fact, isRemoved }: Outcome): readonly AlertEvent[] {
  const toOwner = isRemoved ? alert.owner !== '' : fact?.kind === 'assigned';
  if (alert.responders.length === 0 && !toOwner) return [];
  const state = isRemoved ? { ...stateOf(alert), status: 'deleted' as const } : stateOf(alert);
  const facts = fact === undefined ? [] : [fact];
  const { acceptedAt, trace } = cause;
  return [{ alertId: alert.id, version: alert.version, state, facts, acceptedAt, ...(trace && { trace }) }];
}

/** The alerts that a batch inserts, updates and deletes. */
export interface AlertBatchChanges {
  readonly inserted: readonly Alert[];
  readonly updated: readonly Alert[];
  /** Their logs, notes and files are deleted too. An alert that was created in the same batch was never stored. */
  readonly deleted: readonly string[];
}

/** The alerts of a batch during processing. Each command sees the changes of the commands before it. */
export class AlertBatch {
  readonly #byId = new Map<string, Alert>();
  readonly #idByTiny = new Map<string, string>();
  /** Alias -> scope -> id of its open alert, at most one per scope (A16). */
  readonly #openByAlias = new Map<string, Map<Alert['ownerTeamId'], string>>();
  readonly #stored: ReadonlySet<string>;
  readonly #touched = new Set<string>();
  readonly #removed = new Set<string>();

  constructor(alerts: readonly Alert[]) {
    this.#stored = new Set(alerts.map(({ id }) => id));
    for (const alert of alerts) this.#index(alert);
  }

  /** The alert that `command` names; for a create, the open alert with its alias in the scope of its key. */
  find(command: AlertCommand): Alert | undefined {
    const { ownerTeamId } = command.integration;
    if (command.kind === 'create') return this.#byId.get(this.#openOf(aliasOf(command)).get(ownerTeamId) ?? '');
    const { type, value } = command.identifier;
    if (type !== 'alias') return this.#byId.get(type === 'id' ? value : (this.#idByTiny.get(value) ?? ''));
    const open = [...this.#openOf(value).values()].map((id) => this.#byId.get(id));
    return resolveAlias(
      ownerTeamId,
      open.filter((alert) => alert !== undefined),
    );
  }

  put(alert: Alert): void {
    this.#touched.add(alert.id);
    this.#index(alert);
  }

  remove(alert: Alert): void {
    this.#byId.delete(alert.id);
    this.#idByTiny.delete(String(alert.tinyId));
    this.#freeAlias(alert);
    this.#removed.add(alert.id);
  }

  /** Whether there is such an alert, and it is open. */
  isOpen(alertId: string): boolean {
    return this.#byId.get(alertId)?.status === 'open';
  }

  /** Whether the batch deleted it. */
  isRemoved(alertId: string): boolean {
    return this.#removed.has(alertId);
  }

  changes(): AlertBatchChanges {
    const alerts = [...this.#touched].map((id) => this.#byId.get(id)).filter((alert) => alert !== undefined);
    return {
      inserted: alerts.filter(({ id }) => !this.#stored.has(id)),
      updated: alerts.filter(({ id }) => this.#stored.has(id)),
      deleted: [...this.#removed],
    };
  }

  #openOf(alias: string): Map<Alert['ownerTeamId'], string> {
    return this.#openByAlias.get(alias) ?? new Map<Alert['ownerTeamId'], string>();
  }

  #index(alert: Alert): void {
    this.#byId.set(alert.id, alert);
    this.#idByTiny.set(String(alert.tinyId), alert.id);
    if (alert.status !== 'open') this.#freeAlias(alert);
    else this.#openByAlias.set(alert.alias, this.#openOf(alert.alias).set(alert.ownerTeamId, alert.id));
  }

  /** Frees its alias in its scope. */
  #freeAlias({ id, alias, ownerTeamId }: Alert): void {
    const open = this.#openOf(alias);
    if (open.get(ownerTeamId) === id) open.delete(ownerTeamId);
  }
}
