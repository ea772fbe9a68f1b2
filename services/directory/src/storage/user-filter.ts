import type { UserCondition, UserTextCondition } from '@tocsin/contracts';
import type { QueryFilter } from 'mongoose';
import type { UserDocument } from './user-documents.ts';

/** User names are in lower case already. */
const PATHS = {
  username: 'username',
  fullName: 'search.fullName',
  role: 'search.role',
  locale: 'search.locale',
  timeZone: 'search.timeZone',
  userAddress: 'search.userAddress',
} as const satisfies Record<UserTextCondition['field'], string>;

/** What finds the users for whom all of `conditions` hold; each condition has an index. */
export function userFilter(conditions: readonly UserCondition[]): QueryFilter<UserDocument> {
  return conditions.length === 0 ? {} : { $and: conditions.map(filterOf) };
}

function filterOf(condition: UserCondition): QueryFilter<UserDocument> {
  if ('match' in condition) return { [PATHS[condition.field]]: textFilter(condition) };
  if (condition.field !== 'createdAt') return { [condition.field]: condition.value };
  const { from, before } = condition;
  return {
    createdAt: { ...(from === undefined ? {} : { $gte: from }), ...(before === undefined ? {} : { $lt: before }) },
  };
}

/** The address has several texts, one of which must agree as a whole. No text goes on with what lies beyond characters. */
function textFilter({ field, match, value }: UserTextCondition): unknown {
  if (match === 'is') return value;
  const range = { $gte: value, $lt: `${value}\u{10ffff}` };
  return field === 'userAddress' ? { $elemMatch: range } : range;
}
