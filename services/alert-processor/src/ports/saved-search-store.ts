import type { SavedSearch, SavedSearchReference } from '../domain/saved-search.ts';

/** The changed fields of a saved search; absent fields stay. */
export type SavedSearchChange = Partial<Omit<SavedSearch, 'id' | 'createdAt'>>;

export interface SavedSearchStore {
  /** @throws ConflictError when the name is taken. */
  insert(search: SavedSearch): Promise<void>;
  find(reference: SavedSearchReference): Promise<SavedSearch | undefined>;
  /** In order of creation. */
  list(): Promise<readonly SavedSearch[]>;
  /** The search after the change; undefined if there is none. @throws ConflictError when the new name is taken. */
  change(id: string, change: SavedSearchChange): Promise<SavedSearch | undefined>;
  remove(id: string): Promise<void>;
}
