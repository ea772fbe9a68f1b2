import { z } from 'zod';
import { ActionType, ContactMethod, LeadTime } from '@tocsin/contracts';
import { WrittenConditions } from './conditions.ts';
import { Id } from './shared.ts';
import { TimeRestriction } from './time-restrictions.ts';

const step = {
  id: Id,
  contact: z.object({ method: z.enum(ContactMethod.options), to: z.string() }),
  sendAfter: z
    .object({ timeAmount: z.int().min(0), timeUnit: z.literal('minutes') })
    .meta({ description: 'How long after the page the message is sent.' }),
  enabled: z.boolean(),
};
const summary = {
  id: Id,
  name: z.string(),
  actionType: z.enum(ActionType.options),
  order: z.int().min(0).meta({ description: 'The place among the rules of this action type.' }),
  enabled: z.boolean(),
};

/** A rule as lists and answers to writes show it (part 3, 2.3). */
export const NotificationRuleSummary = z.object(summary).meta({ id: 'NotificationRuleSummary' });

/** Part 3, 2.3. */
export const NotificationRule = z
  .object({
    ...summary,
    criteria: WrittenConditions,
    notificationTime: z
      .array(z.enum(LeadTime.options))
      .optional()
      .meta({ description: 'Only of rules about the start or the end of a shift.' }),
    schedules: z
      .array(z.object({ type: z.literal('schedule'), id: Id, name: z.string().optional() }))
      .optional()
      .meta({
        description: 'Only of rules about the start or the end of a shift. An empty list means every schedule.',
      }),
    timeRestriction: TimeRestriction.optional(),
    steps: z.array(z.object(step)),
    repeat: z.object({ loopAfter: z.int().min(1).meta({ description: 'Minutes.' }), enabled: z.boolean() }).optional(),
  })
  .meta({ id: 'NotificationRule' });

/** A step by itself, with the rule that it is a part of (part 3, 2.4). */
export const NotificationStep = z
  .object({ ...step, _parent: z.object({ id: Id, name: z.string() }).meta({ description: 'The rule of the step.' }) })
  .meta({ id: 'NotificationStep' });
