import { z } from 'zod';
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
} from '../primitives.ts';
import { wholeNumber } from '../whole-numbers.ts';
import { calendarDate as date } from './dates.ts';
import { writtenIdentifierType } from './query-values.ts';
import { byKind, OwnerTeam, requiredReferences, type KindReference } from './references.ts';
import { NOT_AN_OBJECT } from './refusals.ts';
import { SnappedTimeRestrictionBody } from './time-restrictions.ts';

/** Who takes part in a rotation, as a caller names them: users by id or user name, `none` by nothing. */
export type ParticipantReference = KindReference<'user' | 'team' | 'escalation', 'none'>;

const PARTICIPANTS = ['user', 'team', 'escalation'] as const;

const length = wholeNumber({
  min: 1,
  max: 10_000,
  refusal: 'should be a whole number of at least 1',
  tooSmall: 'should be at least 1',
  tooLarge: 'should be at most 10000',
});

/** Part 2, 2.5: a rotation inside a schedule. `id` is read in a PATCH of the schedule alone (S15). */
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
export const LONGEST_SCHEDULE_NAME = 100;

/** Part 2, 4.3: the body that creates a schedule; it may have no rotation (S1). */
export const CreateScheduleBody = z.object(
  { name: requiredText('Schedule name', LONGEST_SCHEDULE_NAME), rotations: optional(listOf(RotationBody)), ...rest },
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
    name: blankIsAbsent(requiredText('Schedule name').meta({ maxLength: LONGEST_SCHEDULE_NAME })),
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
