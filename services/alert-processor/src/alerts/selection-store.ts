import { indexTerm, mongoFilter, decidedByIndex, type Filter, type Query } from '@tocsin/rules';
import type { AlertSortField } from '@tocsin/api';
import type { AlertSelection } from './listing.ts';
import { BY_TERMS } from '../database.ts';

/** The paths of sort fields that are stored under another name. */
const PATHS: Partial<Record<AlertSortField, string>> = {
  isSeen: 'seen',
  'report.ackTime': 'report.ackTimeMs',
  'report.closeTime': 'report.closeTimeMs',
};

const EVERY_STATUS = { status: { $in: ['open', 'closed'] } };

/** The filter for `selection`. */
export function selected({ teamId, search }: AlertSelection): Filter {
  const found = search === undefined ? [] : [mongoFilter(search.query, search.idsOf)];
  const parts = [...visible(teamId), ...found];
  return parts.length === 0 ? {} : { $and: parts };
}

/**
 * Like {@link selected}, for a list. A list by creation names every status, because the index of that order begins with
 * it.
 */
export function listed(selection: AlertSelection, sort: AlertSortField): Filter {
  const filter = selected(selection);
  return sort === 'createdAt' && selection.teamId === undefined ? { ...EVERY_STATUS, ...filter } : filter;
}

/** The sort of a list, like the indexes: it ends with `createdAt` and `tinyId`. */
export function sorting(sort: AlertSortField, direction: 1 | -1): Record<string, 1 | -1> {
  if (sort === 'tinyId') return { tinyId: direction };
  return { [PATHS[sort] ?? sort]: direction, createdAt: direction, tinyId: direction };
}

/** With more terms than this, trying each of them costs more than it is likely to save. */
const MAX_TRIED = 3;

/**
 * The index to hint for a list by creation, if two or three terms have to match together. Without the hint MongoDB
 * reuses the plan that was best for an earlier search of the same shape, although this search's terms may be a thousand
 * times as frequent. With the hint it tries anew which term is rarest.
 */
export function indexOf({ teamId, search }: AlertSelection, sort: AlertSortField): typeof BY_TERMS | undefined {
  if (sort !== 'createdAt' || search === undefined) return undefined;
  const parts = search.query.kind === 'and' ? search.query.parts : [search.query];
  const terms = parts.filter(isTerm).length + visible(teamId).length;
  return terms > 1 && terms <= MAX_TRIED && !parts.some(hasIndexOfItsOwn) ? BY_TERMS : undefined;
}

/** The filter of the alerts that a key of `teamId` may see (K4). */
export const visible = (teamId: string | undefined): readonly Filter[] =>
  teamId === undefined ? [] : [{ 'search.terms': indexTerm('seenBy', teamId).term }];

const hasIndexOfItsOwn = (part: Query): boolean =>
  (part.kind === 'exact' && (part.field === 'status' || part.field === 'alertId')) ||
  (part.kind === 'number' && part.field === 'tinyId');

/** Whether the part is one term of the index. A prefix is not: all its matches would be read and sorted. */
const isTerm = (part: Query): boolean =>
  decidedByIndex(part) && part.kind !== 'or' && part.kind !== 'number' && !isPrefix(part) && !hasIndexOfItsOwn(part);
const isPrefix = (part: Query): boolean => 'prefix' in part && part.prefix;
