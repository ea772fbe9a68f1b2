import { mongoFilter, type Filter } from '@tocsin/alert-query';
import type { AlertSortField } from '@tocsin/contracts';
import type { AlertSelection } from '../ports/alert-reader.ts';

/** Where a sort field lies in the document, for those that lie elsewhere than under their own name. */
const PATHS: Partial<Record<AlertSortField, string>> = {
  isSeen: 'seen',
  'report.ackTime': 'report.ackTimeMs',
  'report.closeTime': 'report.closeTimeMs',
};

/** The filter of what `selection` asks for. */
export function selected({ teamId, search }: AlertSelection): Filter {
  const visible = teamId === undefined ? {} : { seenBy: teamId };
  return search === undefined ? visible : { ...visible, $and: [mongoFilter(search.query, search.idsOf)] };
}

/** As the indexes lie: one that sorts by a field serves the search for a value of it as well. */
export function sorting(sort: AlertSortField, direction: 1 | -1): Record<string, 1 | -1> {
  if (sort === 'tinyId') return { tinyId: direction };
  return { [PATHS[sort] ?? sort]: direction, createdAt: direction, _id: direction };
}
