import { collectionOf, type Connection } from '@tocsin/persistence';
import type { LogEntry } from '../domain/history.ts';
import type { DecisionLog } from '../ports/decision-log.ts';
import { LOGS } from './collections.ts';
import { logDocument, type LogDocument } from './history-document.ts';

/** Writes outside transactions: an entry stands alone, and its id makes a repeat harmless. */
export class MongoDecisionLog implements DecisionLog {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async append(entries: readonly LogEntry[]): Promise<void> {
    const upserts = entries.map((entry) => {
      const { _id, ...content } = logDocument(entry);
      return { updateOne: { filter: { _id }, update: { $setOnInsert: content }, upsert: true } };
    });
    if (upserts.length === 0) return;
    await collectionOf<LogDocument>(this.#connection, LOGS).bulkWrite(upserts, { ordered: false });
  }
}
