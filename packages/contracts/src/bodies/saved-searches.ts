import { z } from 'zod';
import { blankIsAbsent, optional, requiredText, text } from '../primitives.ts';
import { identifierType } from './query-values.ts';
import { byIdOrName, emptyIsAbsent, referenceList, UserByReference } from './references.ts';
import { NOT_AN_OBJECT } from './refusals.ts';

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

/** What changes of a saved search; what is absent stays. */
export const UpdateSavedSearchBody = z.object(
  { name: absentName, query: optional(query), owner: emptyIsAbsent(UserByReference), description, teams },
  NOT_AN_OBJECT,
);
export type UpdateSavedSearchBody = z.infer<typeof UpdateSavedSearchBody>;

/** How the path names a saved search: by id unless told. */
export const SavedSearchQuery = z.object({ identifierType });
export type SavedSearchQuery = z.infer<typeof SavedSearchQuery>;
