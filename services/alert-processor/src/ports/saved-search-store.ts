import type { SavedSearch, SavedSearchReference } from '../domain/saved-search.ts';

/** What of a saved search changes; what is absent stays. */
export type SavedSearchChange = Partial<Omit<SavedSearch, 'id' | 'createdAt'>>;

export interface SavedSearchStore {
  /** @throws ConflictError when the name is taken. */
  insert(search: SavedSearch): Promise<void>;
  find(reference: SavedSearchReference): Promise<SavedSearch | undefined>;
  /** By creation. */
  list(): Promise<readonly SavedSearch[]>;
  /** The search after the change; undefined where there is none. @throws ConflictError when the new name is taken. */
  change(id: string, change: SavedSearchChange): Promise<SavedSearch | undefined>;
  remove(id: string): Promise<void>;
}
