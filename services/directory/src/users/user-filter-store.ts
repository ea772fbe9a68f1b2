import type { UserCondition, UserSort, UserTextCondition } from '@tocsin/api';
import type { Filter } from '@tocsin/mongo';

/** User names are stored in lower case. */
const SEARCHED_FIELDS = {
  username: 'username',
  fullName: 'search.fullName',
  role: 'search.role',
  locale: 'search.locale',
  timeZone: 'search.timeZone',
  userAddress: 'search.userAddress',
} as const satisfies Record<UserTextCondition['field'], string>;

/** The filter of the users for whom all of `conditions` hold. Each condition has an index. */
export function userFilter(conditions: readonly UserCondition[]): Filter {
  return conditions.length === 0 ? {} : { $and: conditions.map(conditionFilter) };
}

function conditionFilter(condition: UserCondition): Filter {
  if ('match' in condition) return { [SEARCHED_FIELDS[condition.field]]: textFilter(condition) };
  if (condition.field !== 'createdAt') return { [condition.field]: condition.value };
  const { from, before } = condition;
  return {
    createdAt: { ...(from === undefined ? {} : { $gte: from }), ...(before === undefined ? {} : { $lt: before }) },
  };
}

/** An address has several texts, of which one has to match as a whole. No text sorts behind U+10FFFF. */
function textFilter({ field, match, value }: UserTextCondition): unknown {
  if (match === 'is') return value;
  const range = { $gte: value, $lt: `${value}\u{10ffff}` };
  return field === 'userAddress' ? { $elemMatch: range } : range;
}

/** Each is the key of an index, so MongoDB sorts in memory only what a search has found. */
const SORT_KEYS = {
  username: ['username'],
  fullName: ['fullName', '_id'],
  insertedAt: ['createdAt', '_id'],
} as const;

/** The keys by which MongoDB sorts users. */
export function userOrder(sort: UserSort, order: 'asc' | 'desc'): Readonly<Record<string, 1 | -1>> {
  const direction = order === 'asc' ? 1 : -1;
  return Object.fromEntries(SORT_KEYS[sort].map((key) => [key, direction] as const));
}
