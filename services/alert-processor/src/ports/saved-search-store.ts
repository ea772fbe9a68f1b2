import type { ListedSearch, SavedSearch, SavedSearchReference } from '../domain/saved-search.ts';

/** The changed fields of a saved search; absent fields stay. */
export type SavedSearchChange = Partial<Omit<SavedSearch, 'id' | 'createdAt'>>;

export interface SavedSearchStore {
  /** @throws ConflictError when the name is taken. */
  insert(search: SavedSearch): Promise<void>;
  find(reference: SavedSearchReference): Promise<SavedSearch | undefined>;
  /** In order of creation: all, or those that name the team. */
  list(teamId: string | undefined): Promise<readonly ListedSearch[]>;
  /** How many name the team; counted up to `most`. */
  countOfTeam(teamId: string, most: number): Promise<number>;
  /** The search after the change; undefined if there is none. @throws ConflictError when the new name is taken. */
  change(id: string, change: SavedSearchChange): Promise<SavedSearch | undefined>;
  remove(id: string): Promise<void>;
}
