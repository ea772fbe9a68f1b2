import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { liveOptions } from '../live/live-queries.ts';
import { type ResponderKind, searchesFor, searchWord, type User } from './people.ts';

type UserList = Answer<'list-users'>;

/** How many users a read has. An account with more is searched by the server. */
const MAX_READ = 100;
/** For how long users are not read again. */
const FRESH_MS = 60_000;

const readUsers = (query: string, signal: AbortSignal) =>
  call<UserList>({
    path: '/v2/users',
    query: { ...(query !== '' && { query }), limit: MAX_READ, sort: 'fullName' },
    signal,
  });

/** The first users of the account, and how many it has. */
const firstUsersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => readUsers('', signal),
  staleTime: FRESH_MS,
});

/**
 * The users of the account, as far as one read has them. Where the account has more, those whose full name or user name begins with the
 * first word of the text as well.
 */
export const usersQuery = (text: string) =>
  queryOptions({
    queryKey: ['users', 'found', searchWord(text)],
    queryFn: async ({ client, signal }) => {
      const first = await client.query(firstUsersQuery);
      const word = searchWord(text);
      if (first.totalCount <= MAX_READ || word === '') return usersOf(first);
      return usersOf(...(await Promise.all(searchesFor(word).map((query) => readUsers(query, signal)))), first);
    },
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });

function usersOf(...lists: readonly UserList[]): readonly User[] {
  return [...new Map(lists.flatMap(({ data }) => data).map((user) => [user.id, user])).values()];
}

/** The names of all teams, schedules or escalations. */
export const namesQuery = (kind: ResponderKind) =>
  queryOptions({
    queryKey: ['names', kind],
    queryFn: async ({ signal }) => {
      const { data } = await call<{ readonly data: readonly { readonly name: string }[] }>({
        path: `/v2/${kind}s`,
        signal,
      });
      return data.map(({ name }) => name);
    },
    staleTime: FRESH_MS,
  });

/** All teams, by id and name. */
export const teamsQuery = queryOptions({
  queryKey: ['teams', 'all'],
  queryFn: async ({ signal }) => (await call<Answer<'list-teams'>>({ path: '/v2/teams', signal })).data,
  staleTime: FRESH_MS,
});

/** Of all queries of the page of the people. */
export const PEOPLE = ['people'] as const;

/** The people of the account whose full name or user name begins with the first word of the text, and how many the account has. */
export const peopleQuery = (text: string) =>
  queryOptions({
    queryKey: [...PEOPLE, searchWord(text)],
    queryFn: async ({ signal }) => {
      const word = searchWord(text);
      const lists = await Promise.all(
        (word === '' ? [''] : searchesFor(word)).map((query) => readUsers(query, signal)),
      );
      const users = new Map(lists.flatMap(({ data }) => data).map((user) => [user.id, user]));
      return {
        users: [...users.values()],
        isTruncated: lists.some(({ data, totalCount }) => totalCount > data.length),
      };
    },
    ...liveOptions({ kinds: ['users'] }),
    placeholderData: keepPreviousData,
  });

/** The roles that the account made. */
export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: async ({ signal }) => (await call<Answer<'list-roles'>>({ path: '/v2/roles', signal })).data,
  staleTime: FRESH_MS,
});

export const readRole = async (userId: string) =>
  (await call<Answer<'get-user'>>({ path: `/v2/users/${userId}` })).data.role;

/** The name of a responder by its id, for a person the user name. */
export const responderNameQuery = ({ id, type }: { readonly id: string; readonly type: 'user' | ResponderKind }) =>
  queryOptions({
    queryKey: ['names', type, id],
    queryFn: async ({ signal }) => {
      const path = `/v2/${type}s/${encodeURIComponent(id)}`;
      const { data } = await call<{ readonly data: { readonly name?: string; readonly username?: string } }>({
        path,
        signal,
      });
      return data.username ?? data.name ?? id;
    },
    staleTime: FRESH_MS,
  });
