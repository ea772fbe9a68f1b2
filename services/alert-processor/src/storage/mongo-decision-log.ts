import { collectionOf, type Connection } from '@tocsin/persistence';
import type { LogEntry } from '../domain/history.ts';
import type { DecisionLog } from '../ports/decision-log.ts';
import { LOGS } from './collections.ts';
import { logDocument, type LogDocument } from './history-document.ts';
import { removedOf } from './removals.ts';

/**
 * Writes outside transactions: an entry stands alone, and its id makes a repeat harmless. Nothing is written about an alert
 * that is known to be gone; what is written while it goes is swept when it is remembered no more.
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
    const upserts = entries.flatMap((entry) => {
      if (removed.has(entry.alertId)) return [];
      const { _id, ...content } = logDocument(entry);
      return [{ updateOne: { filter: { _id }, update: { $setOnInsert: content }, upsert: true } }];
    });
    if (upserts.length === 0) return;
    await collectionOf<LogDocument>(this.#connection, LOGS).bulkWrite(upserts, { ordered: false });
  }
}
