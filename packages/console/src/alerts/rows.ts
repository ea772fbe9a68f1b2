import type { AlertItem } from './queries.ts';

type Sorted = Pick<AlertItem, 'id' | 'createdAt'>;

const isOlder = (one: Sorted, other: Sorted): boolean => Date.parse(one.createdAt) < Date.parse(other.createdAt);

/**
 * The alerts of a search, newest first: the newest as they are now, and after them those that were read before.
 * An alert that is not among the newest any more, although it is not older than they are, has left the search.
 *
 * @param newest - the first alerts of the search
 * @param earlier - alerts of the search that were read before
 * @param hasMore - whether the search has more alerts than `newest`
 */
export function mergeAlerts<T extends Sorted>(
  newest: readonly T[],
  earlier: readonly T[],
  hasMore: boolean,
): readonly T[] {
  const last = newest.at(-1);
  if (!hasMore || last === undefined) return newest;
  const known = new Set(newest.map(({ id }) => id));
  const place = earlier.findIndex(({ id }) => id === last.id);
  // Alerts of one instant have the order of the server.
  const after = place < 0 ? earlier.filter((each) => isOlder(each, last)) : earlier.slice(place + 1);
  return [...newest, ...after.filter(({ id }) => !known.has(id) && known.add(id))];
}

/**
 * Whether alerts can be missing between the newest and those that were read before: so many came meanwhile that the newest do not reach
 * down to these any more.
 */
export function hasGap<T extends Sorted>(newest: readonly T[], earlier: readonly T[], hasMore: boolean): boolean {
  const [last, first] = [newest.at(-1), earlier[0]];
  if (!hasMore || last === undefined || first === undefined) return false;
  return isOlder(first, last) && !earlier.some(({ id }) => id === last.id);
}

export interface Row<T> {
  readonly alert: T;
  /** Whether the alert has left the search since the list was held. */
  readonly hasLeft: boolean;
}

/** A list that keeps its order while a person works in it, and the alerts that came meanwhile. */
export function heldRows<T extends Sorted>(
  held: readonly T[],
  latest: readonly T[],
): { readonly rows: readonly Row<T>[]; readonly waiting: readonly T[] } {
  const byId = new Map(latest.map((alert) => [alert.id, alert]));
  const heldIds = new Set(held.map(({ id }) => id));
  // The page read the alerts after the last held one because a person scrolled; all others are new.
  const end = latest.findLastIndex(({ id }) => heldIds.has(id));
  const oldest = held.at(-1);
  const follows = (alert: T, place: number) => (end < 0 ? oldest !== undefined && isOlder(alert, oldest) : place > end);
  return {
    rows: [
      ...held.map((alert) => ({ alert: byId.get(alert.id) ?? alert, hasLeft: !byId.has(alert.id) })),
      ...latest.filter(follows).map((alert) => ({ alert, hasLeft: false })),
    ],
    waiting: latest.filter((alert, place) => !heldIds.has(alert.id) && !follows(alert, place)),
  };
}

/** Whether a row is selected. An alert that is not in the list any more holds no list, although it was selected. */
export const hasSelected = (rows: readonly Row<Pick<AlertItem, 'id'>>[], selected: ReadonlySet<string>): boolean =>
  rows.some(({ alert }) => selected.has(alert.id));

/** How many alerts wait, with those that matter most: `3 new (1 P1)`. */
export function waitingText(waiting: readonly Pick<AlertItem, 'priority'>[]): string {
  const urgent = waiting.filter(({ priority }) => priority === 'P1').length;
  return `${waiting.length} new${urgent > 0 ? ` (${urgent} P1)` : ''}`;
}

/** The ids between two rows, both included, in either order. */
export function idsBetween(ids: readonly string[], from: string, to: string): readonly string[] {
  const [one, other] = [ids.indexOf(from), ids.indexOf(to)];
  if (one < 0 || other < 0) return [to];
  return ids.slice(Math.min(one, other), Math.max(one, other) + 1);
}
