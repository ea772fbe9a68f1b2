import { CreateSavedSearchBody, SavedSearchQuery, UpdateSavedSearchBody, type OperationId } from '@tocsin/api';
import { formatInstant } from '@tocsin/events';
import { boundTeam, defineRoute, importRoute, type Route } from '@tocsin/http';
import type { SavedSearches } from './operations.ts';
import type { SavedSearch, SavedSearchReference } from './saved-search.ts';

/** `/v2/alerts/saved-searches` (wire facts 4), and its subset `/v2/users/saved-searches` (wire facts 5). */
export function savedSearchRoutes(searches: SavedSearches): readonly Route[] {
  return [
    defineRoute({
      operation: 'create-saved-search',
      body: CreateSavedSearchBody,
      handle: async ({ body, principal }) => {
        const { id, name } = await searches.create(body, principal);
        return { status: 201, body: { result: 'Created', data: { id, name } } };
      },
    }),
    defineRoute({
      operation: 'update-saved-search',
      query: SavedSearchQuery,
      body: UpdateSavedSearchBody,
      handle: async ({ params, query, body, principal }) => {
        const { id, name } = await searches.update(referenceOf(params, query), body, principal);
        return { body: { result: 'Updated', data: { id, name } } };
      },
    }),
    importRoute({
      operation: 'import-saved-search',
      body: CreateSavedSearchBody,
      put: (id, body, principal) => searches.put(id, body, principal),
    }),
    ...(['list-saved-searches', 'list-user-saved-searches'] as const).map((operation) => list(operation, searches)),
    ...(['get-saved-search', 'get-user-saved-search'] as const).map((operation) => get(operation, searches)),
    ...(['delete-saved-search', 'delete-user-saved-search'] as const).map((operation) => remove(operation, searches)),
  ];
}

const list = (operation: OperationId, searches: SavedSearches): Route =>
  defineRoute({
    operation,
    handle: async ({ principal }) => {
      const data = (await searches.list(boundTeam(principal))).values().map(({ id, name }) => ({ id, name }));
      return { body: { data } };
    },
  });

const get = (operation: OperationId, searches: SavedSearches): Route =>
  defineRoute({
    operation,
    query: SavedSearchQuery,
    handle: async ({ params, query, principal }) => ({
      body: { data: savedSearchView(await searches.get(referenceOf(params, query), boundTeam(principal))) },
    }),
  });

const remove = (operation: OperationId, searches: SavedSearches): Route =>
  defineRoute({
    operation,
    query: SavedSearchQuery,
    handle: async ({ params, query, principal }) => {
      await searches.remove(referenceOf(params, query), principal);
      return { body: { result: 'Deleted' } };
    },
  });

function referenceOf(
  params: Readonly<Record<string, string>>,
  { identifierType }: SavedSearchQuery,
): SavedSearchReference {
  return { type: identifierType, value: params['identifier'] ?? '' };
}

const savedSearchView = ({ id, name, query, ownerId, teamIds, description, createdAt, updatedAt }: SavedSearch) => ({
  id,
  name,
  createdAt: formatInstant(createdAt),
  updatedAt: formatInstant(updatedAt),
  owner: { id: ownerId },
  teams: teamIds.map((teamId) => ({ id: teamId })),
  description,
  query,
});
