import type { IdsOf, Query } from '@tocsin/alert-query';

/** What is searched for, and what the names in it stand for. */
export interface Search {
  readonly query: Query;
  readonly idsOf: IdsOf;
}
