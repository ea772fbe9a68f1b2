import type { Put } from '@tocsin/core';
import { ConfigurationCollection, type Connection } from '@tocsin/mongo';
import { SAVED_SEARCHES } from '../database.ts';
import type { ListedSearch, SavedSearch, SavedSearchReference } from './saved-search.ts';

export class SavedSearchStore {
  readonly #searches: ConfigurationCollection<SavedSearch>;

  constructor(connection: Connection) {
    this.#searches = new ConfigurationCollection(connection, {
      collection: SAVED_SEARCHES,
      incrementsRevision: false,
      conflict: ({ name }) => `Saved search with name [${name}] already exists.`,
    });
  }

  /** @throws ConflictError when the name is taken. */

  insert(search: SavedSearch): Promise<void> {
    return this.#searches.insert(search);
  }

  /** Writes the search that has this id, as {@link ConfigurationCollection.put}. @throws ConflictError when the name is taken. */
  put(id: string, change: (present: SavedSearch | undefined) => SavedSearch): Promise<Put<SavedSearch>> {
    return this.#searches.put(id, change);
  }

  find({ type, value }: SavedSearchReference): Promise<SavedSearch | undefined> {
    return this.#searches.find(type === 'id' ? { _id: value } : { name: value });
  }

  /** Without their descriptions, of which very many would fill the memory of the process that handles alerts. */
  list(teamId: string | undefined): Promise<readonly ListedSearch[]> {
    return this.#searches.select(teamId === undefined ? {} : { teamIds: teamId }, { fields: ['name'] });
  }

  /** How many name the team; counted up to `most`. */

  countOfTeam(teamId: string, most: number): Promise<number> {
    return this.#searches.count({ teamIds: teamId }, { limit: most });
  }

  /**
   * The search after the change; undefined if there is none. Where `check` throws for the present search, its error is thrown and
   * nothing is written.
   *
   * @throws ConflictError when the new name is taken.
   */
  change(
    id: string,
    change: SavedSearchChange,
    check: (present: SavedSearch) => void = () => undefined,
  ): Promise<SavedSearch | undefined> {
    return this.#searches.update({ _id: id }, (search) => {
      check(search);
      return { ...search, ...change };
    });
  }

  /** Removes it, if there is one. Where `check` throws, its error is thrown and nothing is removed. */
  async remove(id: string, check?: (present: SavedSearch) => void): Promise<void> {
    await this.#searches.remove({ _id: id }, undefined, check);
  }
}

/** The changed fields of a saved search; absent fields stay. */
export type SavedSearchChange = Partial<Omit<SavedSearch, 'id' | 'createdAt'>>;
