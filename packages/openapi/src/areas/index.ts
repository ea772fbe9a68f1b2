import type { OperationId } from '@tocsin/contracts';
import type { Descriptions } from '../description.ts';
import { ACCOUNT } from './account.ts';
import { ACKNOWLEDGE_LINKS } from './acknowledge-links.ts';
import { ALERT_WRITES } from './alert-writes.ts';
import { ALERTS } from './alerts.ts';
import { ATTACHMENTS } from './attachments.ts';
import { CALLBACKS } from './callbacks.ts';
import { CONTACTS } from './contacts.ts';
import { ESCALATIONS } from './escalations.ts';
import { FORWARDING_RULES } from './forwarding-rules.ts';
import { HEARTBEATS } from './heartbeats.ts';
import { INTEGRATION_ACTIONS } from './integration-actions.ts';
import { INTEGRATIONS } from './integrations.ts';
import { MAINTENANCE } from './maintenance.ts';
import { NOTIFICATION_RULES } from './notification-rules.ts';
import { NOTIFICATION_STEPS } from './notification-steps.ts';
import { ON_CALLS } from './on-calls.ts';
import { OVERRIDES } from './overrides.ts';
import { POLICIES_V2 } from './policies-v2.ts';
import { POLICIES } from './policies.ts';
import { ROTATIONS } from './rotations.ts';
import { ROUTING_RULES } from './routing-rules.ts';
import { SAVED_SEARCHES } from './saved-searches.ts';
import { SCHEDULES } from './schedules.ts';
import { TEAM_ROLES } from './team-roles.ts';
import { TEAMS } from './teams.ts';
import { USER_DUTIES } from './user-duties.ts';
import { USERS } from './users.ts';

/** One description for each operation, by its type. */
export const DESCRIPTIONS: Descriptions<OperationId> = {
  ...ACCOUNT,
  ...ACKNOWLEDGE_LINKS,
  ...ALERTS,
  ...ALERT_WRITES,
  ...ATTACHMENTS,
  ...CALLBACKS,
  ...CONTACTS,
  ...ESCALATIONS,
  ...FORWARDING_RULES,
  ...HEARTBEATS,
  ...INTEGRATIONS,
  ...INTEGRATION_ACTIONS,
  ...MAINTENANCE,
  ...NOTIFICATION_RULES,
  ...NOTIFICATION_STEPS,
  ...ON_CALLS,
  ...OVERRIDES,
  ...POLICIES,
  ...POLICIES_V2,
  ...ROTATIONS,
  ...ROUTING_RULES,
  ...SAVED_SEARCHES,
  ...SCHEDULES,
  ...TEAMS,
  ...TEAM_ROLES,
  ...USERS,
  ...USER_DUTIES,
};
