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
import { calendarDate as date } from './dates.ts';
import { writtenIdentifierType } from './query-values.ts';
import { SnappedTimeRestrictionBody } from './time-restrictions.ts';

const NO_REFERENCE = 'id or name should be provided';
const NOT_AN_OBJECT = 'should be an object';

/** A thing by its id or, where that is absent, by its name (E12). */
export interface Reference {
  readonly id: string | undefined;
  readonly name: string | undefined;
}

/** The team that owns a thing; whatever else a GET puts there is ignored (E5). */
export const OwnerTeamReference: z.ZodType<Reference> = z
  .object({ id: optionalReference(100), name: optionalReference() }, NOT_AN_OBJECT)
  .transform(({ id, name }) => ({ id, name }))
  .refine(({ id, name }) => id !== undefined || name !== undefined, NO_REFERENCE);

/** Who takes part in a rotation, as a caller names them: users by id or user name, `none` by nothing. */
export type ParticipantReference = ({ readonly type: 'user' | 'team' | 'escalation' } & Reference) | { type: 'none' };

const Participant: z.ZodType<ParticipantReference> = z
  .object(
    {
      type: oneOf(['user', 'team', 'escalation', 'none']),
      id: optionalReference(100),
      name: optionalReference(),
      username: optionalReference(),
    },
    'should be an object with type and id or name',
  )
  .transform(({ type, id, name, username }, context): ParticipantReference => {
    if (type === 'none') return { type };
    const called = type === 'user' ? (username ?? name) : name;
    if (id === undefined && called === undefined) context.addIssue({ code: 'custom', message: NO_REFERENCE });
    return { type, id, name: called };
  });

const length = z
  .int('should be a whole number of at least 1')
  .min(1, 'should be at least 1')
  .max(10_000, 'should be at most 10000');

/** Part 2, 2.5: a rotation inside a schedule. `id` is read in a PATCH of the schedule alone (S15). */
export const RotationBody = z.object(
  {
    id: optionalReference(100),
    name: optional(requiredText('Rotation name')),
    startDate: date,
    endDate: optional(date),
    type: oneOf(['daily', 'weekly', 'hourly']),
    length: optional(length),
    participants: listOf(Participant).min(1, 'Participants can not be empty.'),
    timeRestriction: SnappedTimeRestrictionBody,
  },
  NOT_AN_OBJECT,
);
export type RotationBody = z.infer<typeof RotationBody>;

const rest = {
  description: optional(text(10_000)),
  timezone: blankIsAbsent(timeZone),
  enabled: optional(flexibleBoolean),
  ownerTeam: optional(OwnerTeamReference),
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
 * the owner to say: the default schedule of a team may have a longer one (S11) and keep it.
 */
export const UpdateScheduleBody = z.object(
  {
    name: changedName('Schedule name'),
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
    .transform((words) => words.length > 0),
});
export type ListSchedulesQuery = z.infer<typeof ListSchedulesQuery>;
