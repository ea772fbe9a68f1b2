import { z } from 'zod';
import { CreateSavedSearchBody, SavedSearchQuery, UpdateSavedSearchBody } from '@tocsin/contracts';
import { SavedSearch } from '../answers/saved-searches.ts';
import { Named } from '../answers/shared.ts';
import { area, type Description } from '../description.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';

const written = { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e30', name: 'Open and urgent' };
const query = 'status:open AND priority:(P1 OR P2)';
const team = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e13';
const savedSearch = {
  ...written,
  createdAt: '2026-01-31T08:00:00Z',
  updatedAt: '2026-01-31T08:00:00Z',
  owner: { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e21' },
  teams: [{ id: team }],
  description: '',
  query,
};

const list: Description = {
  success: dataAnswer(z.array(Named), [written]),
};
const get: Description = {
  query: SavedSearchQuery,
  success: dataAnswer(SavedSearch, savedSearch),
  refusals: [404],
};
const remove: Description = {
  query: SavedSearchQuery,
  success: doneAnswer('Deleted'),
  refusals: [404],
};

/** Wire facts 4 and 5: the searches of alerts and of users are the same ones. */
export const SAVED_SEARCHES = area({
  'create-saved-search': {
    description: 'With the key of a team, that team is one of its teams.',
    body: {
      schema: CreateSavedSearchBody,
      example: { name: written.name, query, owner: { username: 'ada@example.com' }, teams: [{ id: team }] },
    },
    success: createdAnswer(Named, written),
    refusals: [404, 409],
  },
  'list-saved-searches': list,
  'get-saved-search': get,
  'update-saved-search': {
    description: 'What the body leaves out stays as it is.',
    query: SavedSearchQuery,
    body: { schema: UpdateSavedSearchBody, example: { query: 'status:open AND priority:P1' } },
    success: changedAnswer('Updated', Named, written),
    refusals: [404, 409],
  },
  'delete-saved-search': remove,
  'list-user-saved-searches': list,
  'get-user-saved-search': get,
  'delete-user-saved-search': remove,
});
