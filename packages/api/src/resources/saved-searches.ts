import { blankIsAbsent, optional, requiredText, text } from '@tocsin/events';
import { z } from 'zod';
import { Id, Instant, Named } from '../answers/shared.ts';
import { identifierType } from '../bodies/query-values.ts';
import { byIdOrName, emptyIsAbsent, referenceList, UserByReference } from '../bodies/references.ts';
import { NOT_AN_OBJECT } from '../bodies/refusals.ts';
import { type Description, MEDIUM_BODY, resource, type Rules, SMALL_BODY } from '../operation.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';

const MAX_TEAMS = 20;

const name = requiredText('Name', 100);
/** Whether it is a query is for its reader to say. */
const query = requiredText('Query', 1_000).meta({ description: 'Such as `status:open AND priority:(P1 OR P2)`.' });
const description = optional(text(15_000));
const teams = optional(referenceList(byIdOrName(), [], MAX_TEAMS));

/** A saved search as it is created (wire facts 4). */
export const CreateSavedSearchBody = z.object(
  { name, query, owner: UserByReference, description, teams },
  NOT_AN_OBJECT,
);
export type CreateSavedSearchBody = z.infer<typeof CreateSavedSearchBody>;

/** An empty name changes nothing (E12). */
const absentName = blankIsAbsent(name);

/** The changed fields of a saved search; absent ones stay. */
export const UpdateSavedSearchBody = z.object(
  { name: absentName, query: optional(query), owner: emptyIsAbsent(UserByReference), description, teams },
  NOT_AN_OBJECT,
);
export type UpdateSavedSearchBody = z.infer<typeof UpdateSavedSearchBody>;

/** How the path names a saved search: by id by default. */
export const SavedSearchQuery = z.object({ identifierType });
export type SavedSearchQuery = z.infer<typeof SavedSearchQuery>;

/** Wire facts 4. */
const SavedSearch = z
  .object({
    id: Id,
    name: z.string(),
    createdAt: Instant,
    updatedAt: Instant,
    owner: z.object({ id: Id }),
    teams: z.array(z.object({ id: Id })),
    description: z.string(),
    query: z.string(),
  })
  .meta({ id: 'SavedSearch' });

const search = { right: 'read', domain: 'search', owner: 'alert-processor' } as const;
const searchWrite = { right: 'write', domain: 'search', owner: 'alert-processor' } as const;
const SAVED_SEARCH = '/v2/alerts/saved-searches/{identifier}';
const USER_SAVED_SEARCH = '/v2/users/saved-searches/{identifier}';

const written = { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e30', name: 'Open and urgent' };
const queryExample = 'status:open AND priority:(P1 OR P2)';
const team = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e13';
const savedSearch = {
  ...written,
  createdAt: '2026-01-31T08:00:00Z',
  updatedAt: '2026-01-31T08:00:00Z',
  owner: { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e21' },
  teams: [{ id: team }],
  description: '',
  query: queryExample,
};

const list = {
  success: dataAnswer(z.array(Named), [written]),
} satisfies Description;
const get = {
  query: SavedSearchQuery,
  success: dataAnswer(SavedSearch, savedSearch),
  refusals: [404],
} satisfies Description;
const remove = {
  query: SavedSearchQuery,
  success: doneAnswer('Deleted'),
  refusals: [404],
} satisfies Description;

const RULES: Rules = {
  A20: [
    'Saved searches:',
    'A query is checked when it is saved; the names in it are looked up when it is used.',
    'A team key reads and changes searches that name its team. Where 1000 searches name its team, it cannot create another: 422.',
    'A person, unless admin of the account, creates searches of their own and changes no others (K12).',
    '`query` takes precedence over `searchIdentifier`.',
    '`/v2/users/saved-searches` shows the same searches.',
  ],
};

/** Wire facts 4 and 5: the searches of alerts and of users are the same ones. */
export const SAVED_SEARCHES = resource('Saved searches', RULES, {
  'create-saved-search': {
    ...searchWrite,
    ...MEDIUM_BODY,
    method: 'POST',
    path: '/v2/alerts/saved-searches',
    summary: 'Saves a search',
    description: 'With the key of a team, that team is one of its teams.',
    body: {
      schema: CreateSavedSearchBody,
      example: {
        name: written.name,
        query: queryExample,
        owner: { username: 'ada@example.com' },
        teams: [{ id: team }],
      },
    },
    success: createdAnswer(Named, written),
    refusals: [404, 409],
  },
  'list-saved-searches': {
    ...search,
    method: 'GET',
    path: '/v2/alerts/saved-searches',
    summary: 'Lists saved searches',
    ...list,
  },
  'get-saved-search': {
    ...search,
    method: 'GET',
    path: SAVED_SEARCH,
    summary: 'Reads a saved search',
    ...get,
  },
  'update-saved-search': {
    ...searchWrite,
    ...MEDIUM_BODY,
    method: 'PATCH',
    path: SAVED_SEARCH,
    summary: 'Changes a saved search',
    description: 'What the body leaves out stays as it is.',
    query: SavedSearchQuery,
    body: { schema: UpdateSavedSearchBody, example: { query: 'status:open AND priority:P1' } },
    success: changedAnswer('Updated', Named, written),
    refusals: [404, 409],
  },
  'delete-saved-search': {
    ...searchWrite,
    ...SMALL_BODY,
    method: 'DELETE',
    path: SAVED_SEARCH,
    summary: 'Deletes a saved search',
    ...remove,
  },
  'list-user-saved-searches': {
    ...search,
    method: 'GET',
    path: '/v2/users/saved-searches',
    summary: 'Lists the saved searches of users',
    ...list,
  },
  'get-user-saved-search': {
    ...search,
    method: 'GET',
    path: USER_SAVED_SEARCH,
    summary: 'Reads a saved search of a user',
    ...get,
  },
  'delete-user-saved-search': {
    ...searchWrite,
    ...SMALL_BODY,
    method: 'DELETE',
    path: USER_SAVED_SEARCH,
    summary: 'Deletes a saved search of a user',
    ...remove,
  },
});
