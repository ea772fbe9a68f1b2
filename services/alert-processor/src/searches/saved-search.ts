/** A search with a name (wire facts 4). */
export interface SavedSearch {
  readonly id: string;
  /** Unique as written (E14). */
  readonly name: string;
  readonly query: string;
  readonly ownerId: string;
  readonly teamIds: readonly string[];
  readonly description: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A saved search as a list shows it. */
export type ListedSearch = Pick<SavedSearch, 'id' | 'name'>;

/** How a caller names a saved search. */
export interface SavedSearchReference {
  readonly type: 'id' | 'name';
  readonly value: string;
}

/** Whether a key may see and change it. A key without a team may do so with all (K4). */
export function mayUse(search: SavedSearch, teamId: string | undefined): boolean {
  return teamId === undefined || search.teamIds.includes(teamId);
}
