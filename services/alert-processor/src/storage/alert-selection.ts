import { indexTerm, mongoFilter, type Filter } from '@tocsin/alert-query';
import type { AlertSortField } from '@tocsin/contracts';
import type { AlertSelection } from '../ports/alert-reader.ts';

/** Where a sort field lies in the document, for those that lie elsewhere than under their own name. */
const PATHS: Partial<Record<AlertSortField, string>> = {
  isSeen: 'seen',
  'report.ackTime': 'report.ackTimeMs',
  'report.closeTime': 'report.closeTimeMs',
};

const EVERY_STATUS = { status: { $in: ['open', 'closed'] } };

/** The filter of what `selection` asks for. */
export function selected({ teamId, search }: AlertSelection): Filter {
  const visible = teamId === undefined ? [] : [{ 'search.terms': indexTerm('seenBy', teamId).term }];
  const found = search === undefined ? [] : [mongoFilter(search.query, search.idsOf)];
  const parts = [...visible, ...found];
  return parts.length === 0 ? {} : { $and: parts };
}

/** As {@link selected}, for a list. In the order of creation it names every status, with which that index begins. */
export function listed(selection: AlertSelection, sort: AlertSortField): Filter {
  const filter = selected(selection);
  return sort === 'createdAt' && selection.teamId === undefined ? { ...EVERY_STATUS, ...filter } : filter;
}

/** As the indexes lie: one that sorts by a field serves the search for a value of it as well. */
export function sorting(sort: AlertSortField, direction: 1 | -1): Record<string, 1 | -1> {
  if (sort === 'tinyId') return { tinyId: direction };
  return { [PATHS[sort] ?? sort]: direction, createdAt: direction, tinyId: direction };
}
