import { CallError } from '../api/call-error.ts';
import { lengthText } from '../ui/time.ts';
import type { AlertItem } from './queries.ts';

/** The state of an alert in words. */
export function stateText(
  {
    acknowledged,
    snoozed,
    snoozedUntil,
    status,
  }: Pick<AlertItem, 'acknowledged' | 'snoozed' | 'snoozedUntil' | 'status'>,
  now: number,
): string {
  if (status === 'closed') return 'closed';
  if (snoozed && snoozedUntil !== undefined) return `snoozed for ${lengthText(Date.parse(snoozedUntil) - now)}`;
  return acknowledged ? 'acknowledged' : 'open';
}

/** The searches that the page offers. */
export function fixedSearches(username: string): readonly { readonly name: string; readonly query: string }[] {
  return [
    { name: 'Open', query: OPEN },
    { name: 'Mine', query: mine(username) },
    { name: 'All', query: '' },
  ];
}

/** The open alerts of a person. */
export const mine = (username: string): string => `${OPEN} AND owner:"${username.replaceAll('"', '')}"`;

/** The search that the page begins with. */
export const OPEN = 'status:open';

/** What is wrong with a search, as the server says it; undefined where its read failed for another reason, or did not fail. */
export const queryFault = (error: unknown): string | undefined =>
  error instanceof CallError ? error.fields['query'] : undefined;

/**
 * The search whose alerts the page shows: the one that was asked for, or the last one with an answer while that one has a mistake.
 *
 * @param asked - the search of the address of the page
 * @param error - with which the read of `asked` ended
 * @param answered - the last search with an answer
 */
export const shownQuery = (asked: string, error: unknown, answered: string): string =>
  queryFault(error) === undefined ? asked : answered;
