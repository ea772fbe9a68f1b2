import { collectionOf, insertNew, type Connection } from '@tocsin/persistence';
import type { LogEntry } from '../domain/history.ts';
import type { DecisionLog } from '../ports/decision-log.ts';
import { LOGS } from './collections.ts';
import { logDocuments, type LogDocument } from './history-document.ts';
import { removedOf } from './removals.ts';

/**
 * Writes without a transaction: a decision is one document, and its id makes a repeat harmless. Decisions about a
 * deleted alert are not written. What slips in while an alert is being deleted is deleted with the record of its
 * removal.
 */
export class MongoDecisionLog implements DecisionLog {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

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
