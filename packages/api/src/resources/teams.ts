import {
  alsoTaking,
  blankIsAbsent,
  given,
  listOf,
  oneOf,
  optional,
  optionalReference,
  requiredText,
  text,
} from '@tocsin/events';
import { z } from 'zod';
import { WrittenConditions } from '../answers/conditions.ts';
import { Id, Instant, Named } from '../answers/shared.ts';
import { TimeRestriction } from '../answers/time-restrictions.ts';
import { cursor, identifierType, limit, order } from '../bodies/query-values.ts';
import { NO_USER } from '../bodies/refusals.ts';
import { MEDIUM_BODY, resource, type Rules, SMALL_BODY } from '../operation.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';
import { OF_TEAM, TEAM } from './paths.ts';

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

/** A member that names no user, as JSON Schema. */
const WITHOUT_USER = {
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
  listOf(AddTeamMemberBody.meta(alsoTaking(WITHOUT_USER))),
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

/** Part 2, 2.1. */
const Team = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    members: z.array(z.object({ user: z.object({ id: Id, username: z.string() }), role: z.enum(['user', 'admin']) })),
  })
  .meta({ id: 'Team' });

/** A team as a list shows it (wire facts 5). */
const TeamSummary = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    links: z.object({ web: z.url(), api: z.url() }).meta({ description: 'Where the API answers the whole team.' }),
  })
  .meta({ id: 'TeamSummary' });

/** Part 2, 2.2. */
const TeamLogs = z.object({
  offset: z.string().optional().meta({ description: 'Where the next page begins. Absent on the last one.' }),
  logs: z.array(
    z.object({
      owner: z.string().meta({ description: 'The name of the integration whose key was used.' }),
      createdDate: Instant,
      log: z.string(),
    }),
  ),
});

const target = { id: Id, name: z.string().optional() };

/** Part 2, 2.3. */
export const RoutingRule = z
  .object({
    id: Id,
    name: z.string(),
    isDefault: z.boolean(),
    order: z.int().min(0).meta({ description: 'The place among the rules of the team. The default rule is last.' }),
    timezone: z.string(),
    criteria: WrittenConditions,
    timeRestriction: TimeRestriction.optional(),
    notify: z
      .discriminatedUnion('type', [
        z.object({ type: z.literal('schedule'), ...target }),
        z.object({ type: z.literal('escalation'), ...target }),
        z.object({ type: z.literal('none') }),
      ])
      .meta({ description: 'Where the alerts go; without a name where the thing is gone.' }),
  })
  .meta({ id: 'RoutingRule' });

/** Wire facts 5. */
export const TeamRole = z
  .object({
    id: Id,
    name: z.string(),
    rights: z.array(z.object({ right: z.string(), granted: z.boolean() })),
  })
  .meta({ id: 'TeamRole' });

const read = { right: 'read-configuration', domain: 'configuration', owner: 'directory' } as const;
const write = {
  right: 'write-configuration',
  people: 'team-admin',
  domain: 'configuration',
  owner: 'directory',
} as const;
/** A team neither makes nor ends teams (K8). */
const accountWrite = { ...write, teamKeys: 'refused', people: 'admin' } as const;
const TEAM_PATH = '/v2/teams/{identifier}';
const MEMBERS = '/v2/teams/{teamIdentifier}/members';

const id = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e20';
const ada = { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e30', username: 'ada@example.com' };
const written = { id, name: 'Database' };
const described = { ...written, description: 'Keeps the databases running' };
const url = `https://tocsin.example.com/v2/teams/${id}`;

const params = z.object({ identifier: TEAM });
const memberPath = OF_TEAM.extend({
  memberIdentifier: z.string().min(1).meta({ description: 'The id or the user name of the member.' }),
});

const RULES: Rules = {
  S11: [
    'The defaults of a new team are `<Team>_schedule` and `<Team>_escalation` (0, 5, 10 minutes). A taken name gets ` (2)`. A rename of the team leaves their names as they are.',
    'Another name or other criteria of the default rule, moving and deleting it: 422.',
    'A team has at most 4 MB (4 000 000 bytes) of schedules, with their rotations and overrides, and as much of escalations: else 422, whichever key writes them. A team over the limit can still write smaller ones.',
    'The default rule counts among the routing rules of a team, which have at most 1 MB. A rule that is moved to the place of the default rule is the last before it.',
  ],
  U10: [
    'Members and roles of a team:',
    'An empty user in a list of members is left out; a list with empty users only is 422. A user who is listed twice has the last role. A team has at most 1000 members.',
    "The team's log names the rotations in which a removed user stays.",
    'Custom roles inside a team are kept for clients and grant no rights; a member is `user` or `admin` of the team (K12). Their names are unique in the team, `user` and `admin` are taken; at most 100 roles.',
  ],
};

/** Part 2, 4.1. */
export const TEAMS = resource('Teams', RULES, {
  'create-team': {
    ...accountWrite,
    ...MEDIUM_BODY,
    method: 'POST',
    path: '/v2/teams',
    summary: 'Creates a team and its defaults',
    description:
      'The team gets a schedule without rotations, an escalation and a default routing rule to that escalation (S11).',
    body: {
      schema: CreateTeamBody,
      example: {
        name: 'Database',
        description: 'Keeps the databases running',
        members: [{ user: { username: 'ada@example.com' }, role: 'admin' }],
      },
    },
    success: createdAnswer(Named, written),
    refusals: [404, 409],
  },
  'list-teams': {
    ...read,
    method: 'GET',
    path: '/v2/teams',
    summary: 'Lists teams',
    success: dataAnswer(z.array(TeamSummary), [{ ...described, links: { web: url, api: url } }]),
  },
  'get-team': {
    ...read,
    method: 'GET',
    path: TEAM_PATH,
    summary: 'Reads a team',
    params,
    query: TeamQuery,
    success: dataAnswer(Team, { ...described, members: [{ user: ada, role: 'admin' }] }),
    refusals: [404],
  },
  'update-team': {
    ...write,
    ...MEDIUM_BODY,
    method: 'PATCH',
    path: TEAM_PATH,
    summary: 'Changes a team',
    description: 'What the body leaves out stays as it is; `members` replaces the whole list.',
    params,
    query: TeamQuery,
    body: { schema: UpdateTeamBody, example: { name: 'Storage' } },
    success: changedAnswer('Updated', Named, { id, name: 'Storage' }),
    refusals: [404, 409],
  },
  'delete-team': {
    ...accountWrite,
    ...SMALL_BODY,
    method: 'DELETE',
    path: TEAM_PATH,
    summary: 'Deletes a team and its defaults',
    description:
      'Its routing rules, its default schedule and its default escalation are deleted with it. Its integrations and policies are disabled; all else that it owned has no owner (S12, P18).',
    params,
    query: TeamQuery,
    success: doneAnswer('Deleted'),
    refusals: [404, 428],
  },
  'list-team-logs': {
    ...read,
    method: 'GET',
    path: `${TEAM_PATH}/logs`,
    summary: 'Lists the history of a team',
    params,
    query: TeamLogQuery,
    success: dataAnswer(TeamLogs, {
      logs: [{ owner: 'Default API', createdDate: '2026-01-31T08:00:00Z', log: 'Team [Database] is created.' }],
    }),
    refusals: [404],
  },
  'add-team-member': {
    ...write,
    ...MEDIUM_BODY,
    method: 'POST',
    path: MEMBERS,
    summary: 'Adds a user to a team',
    description: 'A user who is a member already gets the role of the body.',
    params: OF_TEAM,
    query: TeamPartQuery,
    body: { schema: AddTeamMemberBody, example: { user: { username: 'ada@example.com' }, role: 'user' } },
    success: changedAnswer('Added', Named, written),
    refusals: [404],
  },
  'remove-team-member': {
    ...write,
    ...SMALL_BODY,
    method: 'DELETE',
    path: `${MEMBERS}/{memberIdentifier}`,
    summary: 'Takes a user out of a team',
    description: 'The user stays in the rotations of the team.',
    params: memberPath,
    query: TeamPartQuery,
    success: changedAnswer('Removed', Named, written),
    refusals: [404],
  },
});
