import { z } from 'zod';
import { blankIsAbsent, flexibleBoolean, listOf, optional, requiredText } from '../primitives.ts';
import { identifierType } from './query-values.ts';

/** The most rights of one role, and the longest word for one, in code points. */
const MAX_RIGHTS = 100;
const NAME_LENGTH = 100;

const Right = z.object(
  { right: requiredText('Right', NAME_LENGTH), granted: flexibleBoolean },
  'should be an object such as {"right": "edit-schedules", "granted": true}',
);

/** Each right once, at the place of its first mention, granted or not as the last says. */
const Rights = listOf(Right, MAX_RIGHTS).transform((rights) => [
  ...new Map(rights.map((right) => [right.right, right])).values(),
]);

/** Wire facts 5: the body that creates a role inside a team. */
export const CreateTeamRoleBody = z.object({ name: requiredText('Role name', NAME_LENGTH), rights: optional(Rights) });
export type CreateTeamRoleBody = z.infer<typeof CreateTeamRoleBody>;

/** Wire facts 5: the body that changes one. Absent fields stay, an empty name too (E12); `rights` replaces all. */
export const UpdateTeamRoleBody = z.object({
  name: blankIsAbsent(requiredText('Role name', NAME_LENGTH)),
  rights: optional(Rights),
});
export type UpdateTeamRoleBody = z.infer<typeof UpdateTeamRoleBody>;

/** How a path names a role and its team (wire facts 5). */
export const TeamRoleQuery = z.object({ teamIdentifierType: identifierType, identifierType });
export type TeamRoleQuery = z.infer<typeof TeamRoleQuery>;
