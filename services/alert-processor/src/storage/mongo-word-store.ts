import type { CollectedWords } from '@tocsin/alert-query';
import { collectionOf, type Connection } from '@tocsin/persistence';
import type { AlertWords } from '../domain/alert-words.ts';
import type { WordStore } from '../ports/word-store.ts';
import { ALERTS } from './collections.ts';

interface SearchedDocument {
  readonly _id: string;
  readonly search?: CollectedWords & { readonly version: number };
}

/** Writes outside transactions, and only where the words did change: commands for the same alert seldom meet it. */
export class MongoWordStore implements WordStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async keep(collected: readonly AlertWords[]): Promise<void> {
    const updates = collected.map(({ alertId, version, words }) => ({
      updateOne: {
        filter: { _id: alertId, 'search.version': { $not: { $gte: version } }, $nor: [same(words)] },
        update: { $set: { search: { version, ...words } } },
      },
    }));
    await collectionOf<SearchedDocument>(this.#connection, ALERTS).bulkWrite(updates, { ordered: false });
  }
}

function same({ words, message, description, others }: CollectedWords): Record<string, unknown> {
  return {
    'search.words': words,
    'search.message': message,
    'search.description': description,
    'search.others': others,
  };
}
