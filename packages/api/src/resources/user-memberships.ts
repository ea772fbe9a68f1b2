import { z } from 'zod';
import { NO_RULES, resource } from '../operation.ts';
import { dataAnswer } from '../successes.ts';
import { ESCALATIONS } from './escalations.ts';
import { FORWARDING_RULES } from './forwarding-rules.ts';
import { EXAMPLES } from './schedule-examples.ts';
import { ScheduleParent } from './schedules.ts';

/** The common fields of these operations. */
const common = { right: 'read-configuration', domain: 'configuration', owner: 'scheduling' } as const;
const USER = '/v2/users/{identifier}';

/** Part 3, 4.1: the escalations, schedules and forwarding rules that name a user. */
export const USER_MEMBERSHIPS = resource('Memberships of users', NO_RULES, {
  'list-user-escalations': {
    ...common,
    method: 'GET',
    path: `${USER}/escalations`,
    summary: 'Lists the escalations that name a user',
    description: 'Those with a rule for the user in person.',
    success: ESCALATIONS.operations['list-escalations'].success,
    refusals: [404],
  },
  'list-user-schedules': {
    ...common,
    method: 'GET',
    path: `${USER}/schedules`,
    summary: 'Lists the schedules of a user',
    description: 'Those with the user in person in a rotation.',
    success: dataAnswer(z.array(ScheduleParent), [EXAMPLES.parent]),
    refusals: [404],
  },
  'list-user-forwarding-rules': {
    ...common,
    method: 'GET',
    path: `${USER}/forwarding-rules`,
    summary: 'Lists the forwarding rules of a user',
    description: 'Those that pass on the duty of the user.',
    success: FORWARDING_RULES.operations['list-forwarding-rules'].success,
    refusals: [404],
  },
});
