import type { AlertCommand } from '@tocsin/contracts';
import { meantBy, type Alert } from './alert.ts';
import { aliasOf } from './create.ts';

/** The alerts that a batch inserts, updates and deletes. */
export interface AlertBatchChanges {
  readonly inserted: readonly Alert[];
  readonly updated: readonly Alert[];
  /** Their logs, notes and files are deleted too. An alert that was created in the same batch was never stored. */
  readonly deleted: readonly string[];
}

/** The alerts of a batch during settlement. Each command sees the changes of the commands before it. */
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
    return meantBy(
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
