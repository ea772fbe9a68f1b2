import { ConfigurationCollection, type Connection } from '@tocsin/persistence';
import type { SavedSearch, SavedSearchReference } from '../domain/saved-search.ts';
import type { SavedSearchChange, SavedSearchStore } from '../ports/saved-search-store.ts';
import { SAVED_SEARCHES } from './collections.ts';

export class MongoSavedSearchStore implements SavedSearchStore {
  readonly #searches: ConfigurationCollection<SavedSearch>;

  constructor(connection: Connection) {
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

  list(): Promise<readonly SavedSearch[]> {
    return this.#searches.list();
  }

  change(id: string, change: SavedSearchChange): Promise<SavedSearch | undefined> {
    return this.#searches.update({ _id: id }, (search) => ({ ...search, ...change }));
  }

  async remove(id: string): Promise<void> {
    await this.#searches.remove({ _id: id });
  }
}
