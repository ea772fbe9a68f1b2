import {
  blankIsAbsent,
  flexibleBoolean,
  listOf,
  oneOf,
  optional,
  optionalReference,
  requiredText,
  text,
  timeZone,
  wholeNumber,
} from '@tocsin/events';
import { z } from 'zod';
import { Id, Instant, OwnerTeam as OwnerTeamAnswer } from '../answers/shared.ts';
import { TimeRestriction } from '../answers/time-restrictions.ts';
import { calendarDate as date } from '../bodies/dates.ts';
import { writtenIdentifierType } from '../bodies/query-values.ts';
import { byKind, type KindReference, OwnerTeam, requiredReferences } from '../bodies/references.ts';
import { NOT_AN_OBJECT } from '../bodies/refusals.ts';
import { SnappedTimeRestrictionBody } from '../bodies/time-restrictions.ts';
import { LARGE_BODY, resource, type Rules, SMALL_BODY } from '../operation.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';
import { EXAMPLES } from './schedule-examples.ts';

/** A participant of a rotation, as callers write it: a user by id or user name, `none` without both. */
export type ParticipantReference = KindReference<'user' | 'team' | 'escalation', 'none'>;

const PARTICIPANTS = ['user', 'team', 'escalation'] as const;

const length = wholeNumber({
  min: 1,
  max: 10_000,
  refusal: 'should be a whole number of at least 1',
  tooSmall: 'should be at least 1',
  tooLarge: 'should be at most 10000',
});

/** Part 2, 2.5: a rotation inside a schedule. `id` is read in a PATCH of the schedule (S15), and where a rotation is simulated (S5). */
export const RotationBody = z.object(
  {
    id: optionalReference(100),
    name: optional(requiredText('Rotation name')),
    startDate: date,
    endDate: optional(date),
    type: oneOf(['daily', 'weekly', 'hourly']),
    length: optional(length),
    participants: requiredReferences(byKind(PARTICIPANTS, ['none']), PARTICIPANTS, 'Participants can not be empty.'),
    timeRestriction: SnappedTimeRestrictionBody,
  },
  NOT_AN_OBJECT,
);
export type RotationBody = z.infer<typeof RotationBody>;

const rest = {
  description: optional(text(10_000)),
  timezone: blankIsAbsent(timeZone),
  enabled: optional(flexibleBoolean),
  ownerTeam: OwnerTeam,
};

/** Part 2, 2.4: in code points. */
export const MAX_SCHEDULE_NAME_LENGTH = 100;

/** Part 2, 4.3: the body that creates a schedule; it may have no rotation (S1). */
export const CreateScheduleBody = z.object(
  { name: requiredText('Schedule name', MAX_SCHEDULE_NAME_LENGTH), rotations: optional(listOf(RotationBody)), ...rest },
  NOT_AN_OBJECT,
);
export type CreateScheduleBody = z.infer<typeof CreateScheduleBody>;

/** An empty value changes nothing (E12). */
export const changedName = (of: string): z.ZodType<string | undefined> => blankIsAbsent(requiredText(of));

/**
 * Part 2, 4.3: what a PATCH of a schedule may change; an empty name changes nothing (E12). Whether a name is too long is for
 * the owner to say: the default schedule of a team may have a longer one (S11) and keep it. The API description says no more
 * of that than how long a new name may be.
 */
export const UpdateScheduleBody = z.object(
  {
    name: blankIsAbsent(requiredText('Schedule name').meta({ maxLength: MAX_SCHEDULE_NAME_LENGTH })),
    rotations: optional(listOf(RotationBody.extend({ name: changedName('Rotation name') }))),
    ...rest,
  },
  NOT_AN_OBJECT,
);
export type UpdateScheduleBody = z.infer<typeof UpdateScheduleBody>;

/** How the path names a schedule or an escalation (part 2, 4.3). */
export const IdentifierQuery = z
  .object({ identifierType: writtenIdentifierType })
  .transform((query) => query.identifierType ?? 'id');
export type IdentifierQuery = z.infer<typeof IdentifierQuery>;

/** Part 2, 4.3: `expand=rotation` puts the rotations into the list. */
export const ListSchedulesQuery = z.object({
  expand: z
    .string()
    .optional()
    .transform((value) => (value ?? '').toLowerCase().split(','))
    .transform((words) => words.map((word) => word.trim()).filter((word) => word !== ''))
    .refine((words) => words.every((word) => word === 'rotation'), 'should be one of [ rotation ]')
    .transform((words) => words.length > 0)
    .meta({ enum: ['rotation', ''], description: 'With it the list has the rotations of each schedule.' }),
});
export type ListSchedulesQuery = z.infer<typeof ListSchedulesQuery>;

/** The schedule to which an answer belongs (part 2, 2.5 to 2.8). */
export const ScheduleParent = z
  .object({ id: Id, name: z.string(), enabled: z.boolean() })
  .meta({ id: 'ScheduleParent' });

/** A participant of a rotation; without a name where it was deleted. */
const Participant = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('user'), id: Id, username: z.string().optional() }),
    z.object({ type: z.literal('team'), id: Id, name: z.string().optional() }),
    z.object({ type: z.literal('escalation'), id: Id, name: z.string().optional() }),
    z.object({ type: z.literal('none') }),
  ])
  .meta({ id: 'Participant' });

/** Part 2, 2.5. */
export const Rotation = z
  .object({
    id: Id,
    name: z.string(),
    startDate: Instant,
    endDate: Instant.optional(),
    type: z.enum(['daily', 'weekly', 'hourly']),
    length: z.int().min(1),
    participants: z.array(Participant).min(1),
    timeRestriction: TimeRestriction.optional(),
  })
  .meta({ id: 'Rotation' });

/** A rotation where it is read alone. */
export const RotationOfSchedule = Rotation.extend({ _parent: ScheduleParent }).meta({ id: 'RotationOfSchedule' });

/** Part 2, 2.4. */
const Schedule = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    timezone: z.string().meta({ description: 'An IANA name.' }),
    enabled: z.boolean(),
    ownerTeam: OwnerTeamAnswer.optional(),
    rotations: z.array(Rotation).meta({ description: 'Empty in a list that was not asked for `expand=rotation`.' }),
  })
  .meta({ id: 'Schedule' });

/** Id and user name; without the name where the user is gone. */
const NamedUser = z.object({ id: Id, username: z.string().optional() });

/** Part 2, 2.6. */
export const Override = z
  .object({
    alias: z.string(),
    user: z.discriminatedUnion('type', [
      NamedUser.extend({ type: z.literal('user') }),
      z.object({ type: z.literal('none') }),
    ]),
    startDate: Instant,
    endDate: Instant,
    rotations: z
      .array(z.object({ id: Id, name: z.string() }))
      .optional()
      .meta({ description: 'Absent where it counts for all of them.' }),
  })
  .meta({ id: 'Override' });

/** An override where it is read alone. */
export const OverrideOfSchedule = Override.extend({ _parent: ScheduleParent }).meta({ id: 'OverrideOfSchedule' });

/** Part 2, 2.10. */
export const ForwardingRule = z
  .object({
    id: Id,
    alias: z.string().meta({ description: 'Empty where there is none.' }),
    fromUser: NamedUser,
    toUser: NamedUser,
    startDate: Instant,
    endDate: Instant,
  })
  .meta({ id: 'ForwardingRule' });

const read = { right: 'read-configuration', domain: 'configuration', owner: 'scheduling' } as const;
const write = {
  right: 'write-configuration',
  people: 'team-admin',
  domain: 'configuration',
  owner: 'scheduling',
} as const;
/** By which a calendar program asks only for what has changed. */
const CONDITIONS = ['if-none-match'] as const;
const SCHEDULE = '/v2/schedules/{identifier}';

const body = {
  name: EXAMPLES.schedule.name,
  timezone: 'Europe/Rome',
  ownerTeam: { name: 'Database' },
  rotations: [EXAMPLES.rotationBody],
};
const schedule = {
  ...EXAMPLES.schedule,
  description: '',
  timezone: 'Europe/Rome',
  enabled: true,
  ownerTeam: { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e13', name: 'Database' },
  rotations: [EXAMPLES.rotation],
};

const RULES: Rules = {
  S1: [
    'A schedule may have no rotation, and has at most 1000, of at most 1 MB together. Rotations are named `Rot1`, `Rot2` …; two may have the same name.',
    'Minutes snap to 0 and 30. A start or end that is sent back unchanged is kept, also where the zone of the schedule has changed since.',
    'A PATCH cannot remove the owner of a schedule, nor the end or the time restriction of a rotation (`null` is absent), unless a PATCH of the schedule has the whole rotation.',
  ],
};

/** Part 2, 4.3. */
export const SCHEDULES = resource('Schedules', RULES, {
  'create-schedule': {
    ...write,
    ...LARGE_BODY,
    method: 'POST',
    path: '/v2/schedules',
    summary: 'Creates a schedule',
    body: { schema: CreateScheduleBody, example: body },
    success: createdAnswer(ScheduleParent, EXAMPLES.parent),
    refusals: [404, 409],
  },
  'list-schedules': {
    ...read,
    method: 'GET',
    path: '/v2/schedules',
    summary: 'Lists schedules',
    query: ListSchedulesQuery,
    success: {
      status: 200,
      schema: z.object({ expandable: z.array(z.enum(['rotation'])), data: z.array(Schedule) }),
      example: { expandable: ['rotation'], data: [{ ...schedule, rotations: [] }] },
    },
  },
  'get-schedule': {
    ...read,
    method: 'GET',
    path: SCHEDULE,
    summary: 'Reads a schedule with its rotations',
    query: IdentifierQuery,
    success: dataAnswer(Schedule, schedule),
    refusals: [404],
  },
  'update-schedule': {
    ...write,
    ...LARGE_BODY,
    method: 'PATCH',
    path: SCHEDULE,
    summary: 'Changes a schedule',
    description:
      'What the body leaves out stays as it is. `rotations` replaces all of them; one with its `id` keeps it.',
    query: IdentifierQuery,
    body: { schema: UpdateScheduleBody, example: { timezone: 'Europe/Berlin' } },
    success: changedAnswer('Updated', ScheduleParent, EXAMPLES.parent),
    refusals: [404, 409],
  },
  'delete-schedule': {
    ...write,
    ...SMALL_BODY,
    method: 'DELETE',
    path: SCHEDULE,
    summary: 'Deletes a schedule',
    description: 'Its rotations and overrides are deleted with it.',
    query: IdentifierQuery,
    success: doneAnswer('Deleted'),
    refusals: [404, 428],
  },
  'export-schedule': {
    ...read,
    method: 'GET',
    path: `${SCHEDULE}.ics`,
    passedHeaders: CONDITIONS,
    summary: 'Gives a schedule as a calendar',
    description:
      'From a month ago to three months ahead: one event for each period of the final timeline. Where no schedule has that name, ' +
      'but one has it with `.ics`, that schedule is answered as `GET /v2/schedules/{identifier}` does.',
    query: IdentifierQuery,
    success: { mediaType: 'text/calendar', hasTag: true, description: 'The calendar, as iCalendar.' },
    refusals: [404],
  },
});
