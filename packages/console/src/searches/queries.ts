import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';

const PATH = '/v2/alerts/saved-searches';

/** For how long saved searches are not read again. */
const FRESH_MS = 30_000;

/** The names of the saved searches of the account. */
export const savedSearchesQuery = queryOptions({
  queryKey: ['saved-searches'],
  queryFn: ({ signal }) => call<Answer<'list-saved-searches'>>({ path: PATH, signal }),
  staleTime: FRESH_MS,
});

/** A saved search with its query and owner. */
export const savedSearchQuery = (id: string) =>
  queryOptions({
    queryKey: ['saved-searches', id],
    queryFn: ({ signal }) => call<Answer<'get-saved-search'>>({ path: pathOf(id), signal }),
    staleTime: FRESH_MS,
  });

const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`;

/** A change of the saved searches. */
export type SearchChange =
  | { readonly kind: 'save'; readonly name: string; readonly query: string; readonly username: string }
  | { readonly kind: 'rename'; readonly id: string; readonly name: string }
  | { readonly kind: 'delete'; readonly id: string };

/** Sends a change. */
export async function changeSearches(change: SearchChange): Promise<void> {
  switch (change.kind) {
    case 'save': {
      const { name, query, username } = change;
      await call({ method: 'POST', path: PATH, body: { name, query, owner: { username } } });
      return;
    }
    case 'rename':
      await call({ method: 'PATCH', path: pathOf(change.id), body: { name: change.name } });
      return;
    case 'delete':
      await call({ method: 'DELETE', path: pathOf(change.id) });
  }
}
