import type { AlertCommand } from '@tocsin/contracts';
import type { Alert } from './alert.ts';
import { aliasOf } from './create.ts';

/** What became of the alerts of a batch. */
export interface DeskChanges {
  readonly inserted: readonly Alert[];
  readonly updated: readonly Alert[];
  /** The ids of those that go with everything that belongs to them; some were never stored. */
  readonly deleted: readonly string[];
}

/** The alerts of a batch while it is settled: what one command does is what the next one finds. */
export class Desk {
  readonly #byId = new Map<string, Alert>();
  readonly #idByTiny = new Map<string, string>();
  readonly #openIdByAlias = new Map<string, string>();
  readonly #stored: ReadonlySet<string>;
  readonly #touched = new Set<string>();
  readonly #removed = new Set<string>();

  constructor(alerts: readonly Alert[]) {
    this.#stored = new Set(alerts.map(({ id }) => id));
    for (const alert of alerts) this.#hold(alert);
  }

  find(command: AlertCommand): Alert | undefined {
    if (command.kind === 'create') return this.#openOf(aliasOf(command));
    const { type, value } = command.identifier;
    if (type === 'alias') return this.#openOf(value);
    return this.#byId.get(type === 'id' ? value : (this.#idByTiny.get(value) ?? ''));
  }

  put(alert: Alert): void {
    this.#touched.add(alert.id);
    this.#hold(alert);
  }

  /** Takes an alert away for good. */
  remove(alert: Alert): void {
    this.#byId.delete(alert.id);
    this.#idByTiny.delete(String(alert.tinyId));
    if (this.#openIdByAlias.get(alert.alias) === alert.id) this.#openIdByAlias.delete(alert.alias);
    this.#removed.add(alert.id);
  }

  /** Whether it was taken away. */
  isRemoved(alertId: string): boolean {
    return this.#removed.has(alertId);
  }

  changes(): DeskChanges {
    const alerts = [...this.#touched].map((id) => this.#byId.get(id)).filter((alert) => alert !== undefined);
    return {
      inserted: alerts.filter(({ id }) => !this.#stored.has(id)),
      updated: alerts.filter(({ id }) => this.#stored.has(id)),
      deleted: [...this.#removed],
    };
  }

  #openOf(alias: string): Alert | undefined {
    return this.#byId.get(this.#openIdByAlias.get(alias) ?? '');
  }

  #hold(alert: Alert): void {
    this.#byId.set(alert.id, alert);
    this.#idByTiny.set(String(alert.tinyId), alert.id);
    if (alert.status === 'open') this.#openIdByAlias.set(alert.alias, alert.id);
    else if (this.#openIdByAlias.get(alert.alias) === alert.id) this.#openIdByAlias.delete(alert.alias);
  }
}
