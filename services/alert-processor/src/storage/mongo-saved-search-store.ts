import type { mongo } from 'mongoose';
import { collectionOf, ConfigurationCollection, orUnavailable, type Connection } from '@tocsin/persistence';
import type { ListedSearch, SavedSearch, SavedSearchReference } from '../domain/saved-search.ts';
import type { SavedSearchChange, SavedSearchStore } from '../ports/saved-search-store.ts';
import { SAVED_SEARCHES } from './collections.ts';
import { QUERY_TIMEOUT_MS } from './reading.ts';

type SavedSearchDocument = Omit<SavedSearch, 'id'> & { readonly _id: string };

export class MongoSavedSearchStore implements SavedSearchStore {
  readonly #searches: ConfigurationCollection<SavedSearch>;
  readonly #documents: mongo.Collection<SavedSearchDocument>;

  constructor(connection: Connection) {
    this.#documents = collectionOf(connection, SAVED_SEARCHES);
    this.#searches = new ConfigurationCollection(connection, {
      collection: SAVED_SEARCHES,
      movesRevision: false,
      conflict: ({ name }) => `Saved search with name [${name}] already exists.`,
    });
  }

  insert(search: SavedSearch): Promise<void> {
    return this.#searches.insert(search);
  }

  find({ type, value }: SavedSearchReference): Promise<SavedSearch | undefined> {
    return this.#searches.find(type === 'id' ? { _id: value } : { name: value });
  }

  /** Without their descriptions, of which very many would fill the memory of the process that settles alerts. */
  async list(teamId: string | undefined): Promise<readonly ListedSearch[]> {
    const found = this.#documents
      .find(teamId === undefined ? {} : { teamIds: teamId }, { projection: { name: 1 }, maxTimeMS: QUERY_TIMEOUT_MS })
      .sort({ createdAt: 1, _id: 1 });
    return (await orUnavailable(found.toArray())).map(({ _id, name }) => ({ id: _id, name }));
  }

  async countOfTeam(teamId: string, most: number): Promise<number> {
    return orUnavailable(
      this.#documents.countDocuments({ teamIds: teamId }, { limit: most, maxTimeMS: QUERY_TIMEOUT_MS }),
    );
  }

  change(id: string, change: SavedSearchChange): Promise<SavedSearch | undefined> {
    return this.#searches.update({ _id: id }, (search) => ({ ...search, ...change }));
  }

  async remove(id: string): Promise<void> {
    await this.#searches.remove({ _id: id });
  }
}
