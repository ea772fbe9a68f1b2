import { ACCOUNT_OPERATIONS } from './account.ts';
import { ALERT_OPERATIONS } from './alerts.ts';
import { ANSWER_OPERATIONS } from './answers.ts';
import { CALLBACK_OPERATIONS } from './callbacks.ts';
import { HEARTBEAT_OPERATIONS } from './heartbeats.ts';
import { INTEGRATION_OPERATIONS } from './integrations.ts';
import type { Operation } from './operation.ts';
import { MAINTENANCE_OPERATIONS, POLICY_OPERATIONS } from './policies.ts';
import { ESCALATION_OPERATIONS, FORWARDING_OPERATIONS, SCHEDULE_OPERATIONS } from './schedules.ts';
import { TEAM_OPERATIONS } from './teams.ts';
import { CONTACT_OPERATIONS, NOTIFICATION_RULE_OPERATIONS, USER_OPERATIONS } from './users.ts';

const TABLE = [
  ...ALERT_OPERATIONS,
  ...INTEGRATION_OPERATIONS,
  ...HEARTBEAT_OPERATIONS,
  ...MAINTENANCE_OPERATIONS,
  ...POLICY_OPERATIONS,
  ...TEAM_OPERATIONS,
  ...SCHEDULE_OPERATIONS,
  ...ESCALATION_OPERATIONS,
  ...FORWARDING_OPERATIONS,
  ...USER_OPERATIONS,
  ...CONTACT_OPERATIONS,
  ...NOTIFICATION_RULE_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...ANSWER_OPERATIONS,
  ...CALLBACK_OPERATIONS,
] as const;

/** The name of one documented operation. */
export type OperationId = (typeof TABLE)[number]['id'];

/**
 * Every documented operation, each exactly once. Routing, rights, owners and the API description derive from this table. An operation
 * that Tocsin does not offer (E15) is not in it.
 */
export const OPERATIONS: readonly (Operation & { readonly id: OperationId })[] = TABLE;

const byId = new Map<string, Operation>(OPERATIONS.map((entry) => [entry.id, entry]));

/** The operation of that id; an id of the table is always found. */
export function operation(id: OperationId): Operation {
  const found = byId.get(id);
  if (found === undefined) throw new RangeError(`There is no operation ${id}.`);
  return found;
}
