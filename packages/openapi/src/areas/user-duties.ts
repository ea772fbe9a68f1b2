import { z } from 'zod';
import { ScheduleParent } from '../answers/schedules.ts';
import { area } from '../description.ts';
import { dataAnswer } from '../successes.ts';
import { ESCALATIONS } from './escalations.ts';
import { FORWARDING_RULES } from './forwarding-rules.ts';
import { EXAMPLES } from './schedule-examples.ts';

/** Part 3, 4.1: what scheduling knows about a user. */
export const USER_DUTIES = area({
  'list-user-escalations': {
    description: 'Those with a rule for the user in person.',
    success: ESCALATIONS['list-escalations'].success,
    refusals: [404],
  },
  'list-user-schedules': {
    description: 'Those with the user in person in a rotation.',
    success: dataAnswer(z.array(ScheduleParent), [EXAMPLES.parent]),
    refusals: [404],
  },
  'list-user-forwarding-rules': {
    description: 'Those that pass on the duty of the user.',
    success: FORWARDING_RULES['list-forwarding-rules'].success,
    refusals: [404],
  },
});
