import { collectionOf, insertNew, type Connection } from '@tocsin/mongo';
import type { LogEntry } from './entry.ts';
import { LOGS, REMOVED_ALERTS } from '../database.ts';
import { logDocuments, type LogDocument } from './document.ts';

/**
 * Writes without a transaction: a decision is one document, and its id makes a repeat harmless. Decisions about a deleted alert are not
 * written. Entries that are written while an alert is being deleted are deleted with the record of its removal.
 */
export class DecisionStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Adds the entries that do not exist yet; existing ones stay as they are. Entries of deleted alerts are left out. */

  async append(entries: readonly LogEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const removed = await removedOf(
      this.#connection,
      entries.map(({ alertId }) => alertId),
    );
    const documents = logDocuments(entries.filter(({ alertId }) => !removed.has(alertId)));
    await insertNew(collectionOf<LogDocument>(this.#connection, LOGS), documents);
  }
}

/** Those of `alertIds` that are known to be deleted. */
async function removedOf(connection: Connection, alertIds: readonly string[]): Promise<ReadonlySet<string>> {
  const found = collectionOf<{ readonly _id: string }>(connection, REMOVED_ALERTS).find(
    { _id: { $in: [...new Set(alertIds)] } },
    { projection: { _id: 1 } },
  );
  return new Set(await found.map(({ _id }) => _id).toArray());
}
