import { z } from 'zod';
import { alsoTaking, given } from '../described.ts';
import { blankIsAbsent, listOf, oneOf, optional, optionalReference, requiredText, text } from '../primitives.ts';
import { cursor, identifierType, limit, order } from './query-values.ts';
import { NO_USER } from './refusals.ts';

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'object' &&
    !Array.isArray(value) &&
    Object.values(value).every((part) => part === null || part === ''));

/** A user by id or user name (part 1, 2.9). User names are kept in lower case (U1). */
const UserReference = z
  .object({ id: optionalReference(), username: optionalReference() }, NO_USER)
  .transform(({ id, username }) => ({ id, username: username?.trim().toLowerCase() }))
  .refine(({ id, username }) => id !== undefined || username !== undefined, NO_USER)
  .meta({ anyOf: [given('id'), given('username')] });

/** Part 2, 4.1: the body that adds a member to a team, or changes their role. */
export const AddTeamMemberBody = z.object(
  { user: UserReference, role: optional(oneOf(['user', 'admin'])) },
  'should be an object that names a user',
);
export type AddTeamMemberBody = z.infer<typeof AddTeamMemberBody>;

/** A member that names nobody, as JSON Schema. */
const OF_NOBODY = {
  type: 'object',
  properties: { user: { type: ['object', 'null'], additionalProperties: { enum: ['', null] } } },
  required: ['user'],
};

/** Members of which `{"user": {}}` are dropped (U10). */
const Members = z.preprocess(
  (value) =>
    Array.isArray(value)
      ? value.filter(
          (member: unknown) =>
            !(typeof member === 'object' && member !== null && 'user' in member && isEmpty(member.user)),
        )
      : value,
  listOf(AddTeamMemberBody.meta(alsoTaking(OF_NOBODY))),
);

/** Part 2, 2.1: the body that creates a team. */
export const CreateTeamBody = z.object({
  name: requiredText('Team name', 100),
  description: optional(text(200)),
  members: optional(Members),
});
export type CreateTeamBody = z.infer<typeof CreateTeamBody>;

/** Part 2, 4.1: the body that changes a team. Absent fields stay; an empty name stays too (E12); `members` replaces all. */
export const UpdateTeamBody = z.object({
  name: blankIsAbsent(requiredText('Team name', 100)),
  description: optional(text(200)),
  members: optional(Members),
});
export type UpdateTeamBody = z.infer<typeof UpdateTeamBody>;

/** How a team is named in a path (part 2, 4.1). */
export const TeamQuery = z.object({ identifierType });
export type TeamQuery = z.infer<typeof TeamQuery>;

/** How the path of something inside a team names that team (part 2, 4.1 and 4.2). */
export const TeamPartQuery = z
  .object({ teamIdentifierType: identifierType })
  .transform(({ teamIdentifierType }): TeamQuery => ({ identifierType: teamIdentifierType }));

/** The query of a team's history: `offset` is an exclusive cursor (part 2, 4.1; A12). */
export const TeamLogQuery = TeamQuery.extend({
  limit,
  order,
  offset: cursor.meta({
    pattern: '^([0-9]{1,15}-[0-9]{1,9})?$',
    description: 'The `offset` of an earlier answer: the page goes on after it.',
  }),
});
export type TeamLogQuery = z.infer<typeof TeamLogQuery>;
