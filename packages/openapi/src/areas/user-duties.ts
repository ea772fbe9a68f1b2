import { z } from 'zod';
import { Escalation } from '../answers/escalations.ts';
import { ForwardingRule, ScheduleParent } from '../answers/schedules.ts';
import type { Descriptions } from '../description.ts';
import { ESCALATIONS } from './escalations.ts';
import { FORWARDING_RULES } from './forwarding-rules.ts';
import { EXAMPLES } from './schedule-examples.ts';

/** Part 3, 4.1: what scheduling knows about a user. */
export const USER_DUTIES = {
  'list-user-escalations': {
    description: 'Those with a rule for the user in person.',
    success: {
      status: 200,
      schema: z.object({ data: z.array(Escalation) }),
      example: ESCALATIONS['list-escalations'].success.example,
    },
    refusals: [404],
  },
  'list-user-schedules': {
    description: 'Those with the user in person in a rotation.',
    success: {
      status: 200,
      schema: z.object({ data: z.array(ScheduleParent) }),
      example: { data: [EXAMPLES.parent] },
    },
    refusals: [404],
  },
  'list-user-forwarding-rules': {
    description: 'Those that pass on the duty of the user.',
    success: {
      status: 200,
      schema: z.object({ data: z.array(ForwardingRule) }),
      example: FORWARDING_RULES['list-forwarding-rules'].success.example,
    },
    refusals: [404],
  },
} satisfies Descriptions<'list-user-escalations' | 'list-user-schedules' | 'list-user-forwarding-rules'>;
