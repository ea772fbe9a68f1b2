import { given, ofType, oneOf, optional, optionalReference, requiredText } from '@tocsin/events';
import { z } from 'zod';
import { endsAfterItStarts, period } from '../bodies/dates.ts';
import { byIdOrName, type KindReference, narrowingReferences } from '../bodies/references.ts';
import { NO_USER, NOT_AN_OBJECT } from '../bodies/refusals.ts';
import { MEDIUM_BODY, resource, type Rules, SMALL_BODY } from '../operation.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';
import { SchedulePartQuery } from './rotations.ts';
import { EXAMPLES } from './schedule-examples.ts';
import { Override, OverrideOfSchedule } from './schedules.ts';

/** The participant who is on call by an override, as callers write it: a user by id or user name, or explicitly no user. */
export type OverrideUserReference = KindReference<'user', 'none'>;

const OverrideUser: z.ZodType<OverrideUserReference> = z
  .object(
    { type: oneOf(['user', 'none']), id: optionalReference(100), username: optionalReference() },
    'should be an object with type and id or username',
  )
  .transform(({ type, id, username }, context): OverrideUserReference => {
    if (type === 'none') return { type };
    if (id === undefined && username === undefined) context.addIssue({ code: 'custom', message: NO_USER });
    return { type, id, name: username };
  })
  .meta({ anyOf: [given('id'), given('username'), ofType(['none'])] });

/** An empty list names no rotation, so it means all of them, as an absent one does. */
const rotations = optional(
  narrowingReferences(byIdOrName(), []).transform((named) => (named.length === 0 ? undefined : named)),
);

const fields = { user: OverrideUser, ...period, rotations };

/** Part 2, 4.5: the body that creates an override (S14). */
export const CreateOverrideBody = z
  .object({ alias: requiredText('Override alias'), ...fields }, NOT_AN_OBJECT)
  .superRefine(endsAfterItStarts);
export type CreateOverrideBody = z.infer<typeof CreateOverrideBody>;

/** Part 2, 4.5: the body that replaces an override; its alias is in the path and stays. */
export const UpdateOverrideBody = z.object(fields, NOT_AN_OBJECT).superRefine(endsAfterItStarts);
export type UpdateOverrideBody = z.infer<typeof UpdateOverrideBody>;

/** The body of a simulated override; without an alias, or with one that the schedule does not have, it is one more. */
export const SimulateOverrideBody = z
  .object({ alias: optionalReference(512), ...fields }, NOT_AN_OBJECT)
  .superRefine(endsAfterItStarts);
export type SimulateOverrideBody = z.infer<typeof SimulateOverrideBody>;

const read = { right: 'read-configuration', domain: 'configuration', owner: 'scheduling' } as const;
const write = {
  right: 'write-configuration',
  domain: 'configuration',
  owner: 'scheduling',
  people: 'team-member',
} as const;
const OVERRIDES_PATH = '/v2/schedules/{scheduleIdentifier}/overrides';

const Written = z.object({ alias: z.string() });
const written = { alias: 'ada-is-away' };
const body = { user: { type: 'user', username: EXAMPLES.grace.username }, ...EXAMPLES.week };
const override = { ...written, user: { type: 'user', ...EXAMPLES.grace }, ...EXAMPLES.week };

const RULES: Rules = {
  S14: [
    'The `alias` of an override is unique in its schedule. Its instants are kept as written.',
    '`rotations` that is `null` or `[]` means all too; GET leaves the field out. An override is deleted with the last rotation that it names.',
    'A schedule has at most 1000 overrides, naming at most 10000 rotations together: else 422 for `alias`.',
    'A key that may write the schedule may write its overrides.',
  ],
};

/** Part 2, 4.5. */
export const OVERRIDES = resource('Overrides', RULES, {
  'create-override': {
    ...write,
    ...MEDIUM_BODY,
    method: 'POST',
    path: OVERRIDES_PATH,
    summary: 'Puts another user on call for a time',
    description: 'Of overrides that overlap the one created last counts. `rotations` left out means all of them.',
    query: SchedulePartQuery,
    body: { schema: CreateOverrideBody, example: { ...written, ...body } },
    success: createdAnswer(Written, written),
    refusals: [404, 409],
  },
  'list-overrides': {
    ...read,
    method: 'GET',
    path: OVERRIDES_PATH,
    summary: 'Lists the overrides of a schedule',
    query: SchedulePartQuery,
    success: dataAnswer(z.array(Override), [override]),
    refusals: [404],
  },
  'get-override': {
    ...read,
    method: 'GET',
    path: `${OVERRIDES_PATH}/{alias}`,
    summary: 'Reads an override',
    query: SchedulePartQuery,
    success: dataAnswer(OverrideOfSchedule, { _parent: EXAMPLES.parent, ...override }),
    refusals: [404],
  },
  'update-override': {
    ...write,
    ...MEDIUM_BODY,
    method: 'PUT',
    path: `${OVERRIDES_PATH}/{alias}`,
    summary: 'Replaces an override',
    description: 'All of it is replaced but its alias and its place among those that overlap it.',
    query: SchedulePartQuery,
    body: { schema: UpdateOverrideBody, example: body },
    success: changedAnswer('Updated', Written, written),
    refusals: [404],
  },
  'delete-override': {
    ...write,
    ...SMALL_BODY,
    method: 'DELETE',
    path: `${OVERRIDES_PATH}/{alias}`,
    summary: 'Deletes an override',
    query: SchedulePartQuery,
    success: doneAnswer('Deleted'),
    refusals: [404],
  },
});
