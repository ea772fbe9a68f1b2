import type { OperationId } from '@tocsin/contracts';
import type { Descriptions } from '../description.ts';
import { CONTACTS } from './contacts.ts';
import { ESCALATIONS } from './escalations.ts';
import { NOTIFICATION_RULES } from './notification-rules.ts';
import { NOTIFICATION_STEPS } from './notification-steps.ts';
import { ROUTING_RULES } from './routing-rules.ts';
import { TEAM_ROLES } from './team-roles.ts';
import { TEAMS } from './teams.ts';
import { USERS } from './users.ts';

/** One description for each operation. */
export const DESCRIPTIONS: Partial<Descriptions<OperationId>> = {
  ...CONTACTS,
  ...ESCALATIONS,
  ...NOTIFICATION_RULES,
  ...NOTIFICATION_STEPS,
  ...ROUTING_RULES,
  ...TEAM_ROLES,
  ...TEAMS,
  ...USERS,
};
