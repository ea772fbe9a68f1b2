import { z } from 'zod';
import { NOTIFY_TYPES } from '@tocsin/contracts';
import { ScheduleParent } from './schedules.ts';
import { Id, Instant } from './shared.ts';

const ForwardedFrom = z
  .object({ type: z.literal('user'), id: Id, name: z.string() })
  .meta({ description: 'Whose duty it was at first.' });

/** One entry of an on-call answer, opened as far as it goes (part 2, 2.8; S7). */
const OnCallParticipant = z
  .object({
    type: z.enum(['user', 'team', 'escalation', 'schedule']),
    id: Id,
    name: z.string().meta({ description: 'The user name, for a user.' }),
    forwardedFrom: ForwardedFrom.optional(),
    escalationTime: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'Minutes after the start of the escalation that this is a part of.' }),
    notifyType: z.enum([...new Set(Object.values(NOTIFY_TYPES).flat())]).optional(),
    get onCallParticipants() {
      return z.array(OnCallParticipant).optional();
    },
  })
  .meta({ id: 'OnCallParticipant' });

const participants = z.array(OnCallParticipant);
const usernames = z.array(z.string());

/** Who is on call in one schedule: a tree, or with `flat` the names of its users. */
export const OnCall = z
  .union([
    z.object({ _parent: ScheduleParent, onCallParticipants: participants }),
    z.object({ _parent: ScheduleParent, onCallRecipients: usernames }),
  ])
  .meta({ id: 'OnCall' });

/** Who comes next: by the turns of each rotation, and exactly (S6). */
export const NextOnCall = z
  .union([
    z.object({
      _parent: ScheduleParent,
      nextOnCallRecipients: participants,
      exactNextOnCallRecipients: participants,
    }),
    z.object({
      _parent: ScheduleParent,
      nextOnCallParticipants: usernames,
      exactNextOnCallParticipants: usernames,
    }),
  ])
  .meta({ id: 'NextOnCall' });

/** Whose duty it is; without a name where the thing is gone. */
const PeriodRecipient = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['user', 'team', 'escalation']), id: Id, name: z.string().optional() }),
  z.object({ type: z.literal('none') }),
]);

const Period = z
  .object({
    startDate: Instant,
    endDate: Instant,
    type: z.enum(['default', 'override', 'forwarding']),
    recipient: PeriodRecipient,
    fromUser: Id.optional().meta({ description: 'Id of the user whose duty was forwarded.' }),
    flattenedRecipients: z
      .array(z.object({ id: Id, name: z.string(), type: z.literal('user'), forwardedFrom: ForwardedFrom.optional() }))
      .optional()
      .meta({ description: 'Whom a period that is over came to.' }),
  })
  .meta({ id: 'Period' });

const Layer = z
  .object({
    rotations: z.array(z.object({ id: Id, name: z.string(), order: z.int().min(1), periods: z.array(Period) })),
  })
  .meta({ id: 'TimelineLayer' });

/** Part 2, 2.7: the final layer, and those of the others that are asked for. */
export const Timeline = z
  .object({
    _parent: ScheduleParent,
    startDate: Instant,
    endDate: Instant,
    finalTimeline: Layer,
    baseTimeline: Layer.optional(),
    overrideTimeline: Layer.optional(),
    forwardingTimeline: Layer.optional(),
  })
  .meta({ id: 'Timeline' });
