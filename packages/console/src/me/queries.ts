import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { CallError } from '../api/call-error.ts';
import { call } from '../api/call.ts';
import { liveOptions } from '../live/live-queries.ts';

export type Contact = Answer<'list-contacts'>['data'][number];
export type Rule = Answer<'get-notification-rule'>['data'];

/** Of all queries about one user. */
export const meKey = (userId: string) => ['me', userId] as const;

/** The path of a user in the API, and of what belongs to them. */
export const userPath = (userId: string, rest = ''): string => `/v2/users/${encodeURIComponent(userId)}${rest}`;

/** The contacts and devices of a user, in their order. */
export const contactsQuery = (userId: string) =>
  queryOptions({
    queryKey: [...meKey(userId), 'contacts'],
    queryFn: async ({ signal }) =>
      (await call<Answer<'list-contacts'>>({ path: userPath(userId, '/contacts'), signal })).data,
    ...liveOptions({ kinds: ['users'], id: userId }),
  });

/** How many rules a page reads, each by itself. */
export const MAX_RULES_READ = 100;
const READ_AT_A_TIME = 10;

/** The notification rules of a user, and how many there are. */
export interface Rules {
  readonly rules: readonly Rule[];
  readonly count: number;
}

/** The notification rules of a user, by action type and place. They are read again when the server says that the user was changed. */
export const rulesQuery = (userId: string) =>
  queryOptions({
    queryKey: [...meKey(userId), 'rules'],
    queryFn: ({ signal }) => readRules(userId, signal),
    meta: { follows: { kinds: ['users'], id: userId } },
  });

export const rulePath = (userId: string, ruleId: string): string =>
  userPath(userId, `/notification-rules/${encodeURIComponent(ruleId)}`);

async function readRules(userId: string, signal: AbortSignal): Promise<Rules> {
  const path = userPath(userId, '/notification-rules');
  const { data: listed } = await call<Answer<'list-notification-rules'>>({ path, signal });
  const rules: Rule[] = [];
  const wanted = listed.slice(0, MAX_RULES_READ);
  for (let from = 0; from < wanted.length; from += READ_AT_A_TIME) {
    const some = wanted.slice(from, from + READ_AT_A_TIME);
    const read = await Promise.all(some.map(({ id }) => readRule(userId, id, signal)));
    rules.push(...read.filter((rule) => rule !== undefined));
  }
  return { rules, count: listed.length };
}

/** Undefined where it was deleted meanwhile. */
export async function readRule(userId: string, ruleId: string, signal?: AbortSignal): Promise<Rule | undefined> {
  try {
    return (await call<Answer<'get-notification-rule'>>({ path: rulePath(userId, ruleId), ...(signal && { signal }) }))
      .data;
  } catch (error) {
    if (error instanceof CallError && error.failure === 'missing') return undefined;
    throw error;
  }
}

export type Person = Answer<'get-user'>['data'];

const readPerson = async (userId: string, signal?: AbortSignal): Promise<Person> =>
  (await call<Answer<'get-user'>>({ path: userPath(userId), ...(signal && { signal }) })).data;

export const personQuery = (userId: string) =>
  queryOptions({
    queryKey: [...meKey(userId), 'person'],
    queryFn: ({ signal }) => readPerson(userId, signal),
    ...liveOptions({ kinds: ['users'], id: userId }),
  });
