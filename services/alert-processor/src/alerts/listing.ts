import type { IdsOf, Query } from '@tocsin/rules';
import type { AlertSortField } from '@tocsin/api';

/** A query, and the ids of the names in it. */
export interface Search {
  readonly query: Query;
  readonly idsOf: IdsOf;
}

export interface AlertSelection {
  /** Only alerts that this team's keys may see; all if undefined (K4). */
  readonly teamId: string | undefined;
  /** Only alerts that it matches; all if undefined. */
  readonly search: Search | undefined;
}

export interface AlertListing extends AlertSelection {
  readonly sort: AlertSortField;
  readonly order: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
}
