import { z } from 'zod';
import { Id, Instant, OwnerTeam } from './shared.ts';
import { TimeRestriction } from './time-restrictions.ts';

/** The schedule to which an answer belongs (part 2, 2.5 to 2.8). */
export const ScheduleParent = z
  .object({ id: Id, name: z.string(), enabled: z.boolean() })
  .meta({ id: 'ScheduleParent' });

/** Who takes part in a rotation; without a name where the thing is gone. */
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
export const Schedule = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    timezone: z.string().meta({ description: 'An IANA name.' }),
    enabled: z.boolean(),
    ownerTeam: OwnerTeam.optional(),
    rotations: z.array(Rotation).meta({ description: 'Empty in a list that was not asked for `expand=rotation`.' }),
  })
  .meta({ id: 'Schedule' });

/** Id and user name; without the name where the user is gone. */
const UserOfDuty = z.object({ id: Id, username: z.string().optional() });

/** Part 2, 2.6. */
export const Override = z
  .object({
    alias: z.string(),
    user: z.discriminatedUnion('type', [
      UserOfDuty.extend({ type: z.literal('user') }),
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
    fromUser: UserOfDuty,
    toUser: UserOfDuty,
    startDate: Instant,
    endDate: Instant,
  })
  .meta({ id: 'ForwardingRule' });
