import { ConflictError } from '@tocsin/errors';
import type { ListedSearch, SavedSearch, SavedSearchReference } from '../domain/saved-search.ts';
import type { SavedSearchChange, SavedSearchStore } from '../ports/saved-search-store.ts';

export class MemorySavedSearchStore implements SavedSearchStore {
  readonly #searches = new Map<string, SavedSearch>();

  async insert(search: SavedSearch): Promise<void> {
    await Promise.resolve();
    this.#refuseTaken(search);
    this.#searches.set(search.id, search);
  }

  find({ type, value }: SavedSearchReference): Promise<SavedSearch | undefined> {
    return Promise.resolve([...this.#searches.values()].find((search) => search[type] === value));
  }

  list(teamId: string | undefined): Promise<readonly ListedSearch[]> {
    const found = [...this.#searches.values()].filter(
      ({ teamIds }) => teamId === undefined || teamIds.includes(teamId),
    );
    return Promise.resolve(found.map(({ id, name }) => ({ id, name })));
  }

  async countOfTeam(teamId: string, most: number): Promise<number> {
    return Math.min((await this.list(teamId)).length, most);
  }

  async change(id: string, change: SavedSearchChange): Promise<SavedSearch | undefined> {
    await Promise.resolve();
    const search = this.#searches.get(id);
    if (search === undefined) return undefined;
    const changed = { ...search, ...change };
    this.#refuseTaken(changed);
    this.#searches.set(id, changed);
    return changed;
  }

  remove(id: string): Promise<void> {
    this.#searches.delete(id);
    return Promise.resolve();
  }

  #refuseTaken({ id, name }: SavedSearch): void {
    if ([...this.#searches.values()].some((search) => search.name === name && search.id !== id))
      throw new ConflictError(`Saved search with name [${name}] already exists.`);
  }
}
