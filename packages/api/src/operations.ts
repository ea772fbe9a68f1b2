import type { z } from 'zod';
import type { DescribedOperation, FileSuccess, JsonSuccess } from './operation.ts';
import { ACCOUNT } from './resources/account.ts';
import { ACKNOWLEDGE_LINKS } from './resources/acknowledge-links.ts';
import { ALERT_WRITES } from './resources/alert-writes.ts';
import { ALERTS } from './resources/alerts.ts';
import { ATTACHMENTS } from './resources/attachments.ts';
import { CALLBACKS } from './resources/callbacks.ts';
import { CONSOLE_CHANGES } from './resources/console-changes.ts';
import { CONSOLE_SESSIONS } from './resources/console-sessions.ts';
import { CONTACTS } from './resources/contacts.ts';
import { ESCALATIONS } from './resources/escalations.ts';
import { FORWARDING_RULES } from './resources/forwarding-rules.ts';
import { HEARTBEATS } from './resources/heartbeats.ts';
import { HOOKS } from './resources/hooks.ts';
import { IMPORTS } from './resources/imports.ts';
import { INTEGRATION_ACTIONS } from './resources/integration-actions.ts';
import { INTEGRATION_TRAFFIC } from './resources/integration-traffic.ts';
import { INTEGRATION_SAMPLES } from './resources/integration-samples.ts';
import { INTEGRATION_TRIALS } from './resources/integration-trials.ts';
import { INTEGRATIONS } from './resources/integrations.ts';
import { MAINTENANCE } from './resources/maintenance.ts';
import { MOVE } from './resources/move.ts';
import { NOTIFICATION_RULES } from './resources/notification-rules.ts';
import { NOTIFICATION_STEPS } from './resources/notification-steps.ts';
import { ON_CALLS } from './resources/on-calls.ts';
import { OVERRIDES } from './resources/overrides.ts';
import { POLICIES } from './resources/policies.ts';
import { POLICIES_V2 } from './resources/policies-v2.ts';
import { READINESS } from './resources/readiness.ts';
import { ROTATIONS } from './resources/rotations.ts';
import { ROUTING_RULES } from './resources/routing-rules.ts';
import { SAVED_SEARCHES } from './resources/saved-searches.ts';
import { SCHEDULES } from './resources/schedules.ts';
import { OPSGENIE_KEYS } from './resources/opsgenie-keys.ts';
import { SHADOW_SWITCH_OPERATIONS } from './resources/shadow.ts';
import { TEAM_ROLES } from './resources/team-roles.ts';
import { TEAMS } from './resources/teams.ts';
import { CALENDAR_LINKS } from './resources/calendar-links.ts';
import { USER_MEMBERSHIPS } from './resources/user-memberships.ts';
import { USERS } from './resources/users.ts';

/** All resources, in the order of `docs/api-reference.md`. */
export const RESOURCES = [
  ALERT_WRITES,
  HOOKS,
  ALERTS,
  ATTACHMENTS,
  SAVED_SEARCHES,
  INTEGRATIONS,
  INTEGRATION_ACTIONS,
  INTEGRATION_TRAFFIC,
  INTEGRATION_TRIALS,
  INTEGRATION_SAMPLES,
  HEARTBEATS,
  MAINTENANCE,
  POLICIES,
  POLICIES_V2,
  TEAMS,
  ROUTING_RULES,
  TEAM_ROLES,
  SCHEDULES,
  ON_CALLS,
  CALENDAR_LINKS,
  ROTATIONS,
  OVERRIDES,
  ESCALATIONS,
  FORWARDING_RULES,
  READINESS,
  USERS,
  USER_MEMBERSHIPS,
  CONTACTS,
  NOTIFICATION_RULES,
  NOTIFICATION_STEPS,
  ACCOUNT,
  IMPORTS,
  SHADOW_SWITCH_OPERATIONS,
  MOVE,
  OPSGENIE_KEYS,
  ACKNOWLEDGE_LINKS,
  CALLBACKS,
  CONSOLE_SESSIONS,
  CONSOLE_CHANGES,
] as const;

type UnionOfKeys<T> = T extends unknown ? keyof T & string : never;

/** The name of one documented operation. */
export type OperationId = UnionOfKeys<(typeof RESOURCES)[number]['operations']>;

/** A write of one alert, which is accepted and then processed. */
export type AlertWriteId = keyof typeof ALERT_WRITES.operations;

/** The type of one operation. */
type OperationOf<Id extends OperationId> = Extract<
  (typeof RESOURCES)[number]['operations'],
  Readonly<Record<Id, unknown>>
>[Id];

/**
 * The body that the operation answers with, without what every answer has (E1): a handler whose answer is of this type answers as the API
 * description says. A list may be an iterator. What an operation that answers a file answers in JSON is not described.
 */
export type AnswerOf<Id extends OperationId> = Id extends OperationId
  ? OperationOf<Id> extends { readonly success: JsonSuccess<infer Schema> }
    ? Sent<Omit<z.input<Schema>, 'code'>>
    : OperationOf<Id> extends { readonly success: FileSuccess }
      ? Readonly<Record<string, unknown>>
      : never
  : never;

/** An item of a list that is a part of an answer. */
export type ItemOf<List> = List extends Iterable<infer Item> ? Item : never;

/** A value as a service may send it: nothing of it is changed any more, and an optional part may be undefined. */
type Sent<T> = T extends readonly (infer Item)[]
  ? Iterable<Sent<Item>>
  : T extends object
    ? { readonly [K in keyof T]: Sent<T[K]> | (undefined extends T[K] ? undefined : never) }
    : T;

/**
 * Every documented operation, each exactly once. Routing, rights, owners, the API description and the fuzz derive from it. An operation
 * that Tocsin does not offer (E15) is not in it.
 */
export const OPERATIONS: readonly (DescribedOperation & { readonly id: OperationId })[] = RESOURCES.flatMap(
  ({ operations }) =>
    Object.entries<Omit<DescribedOperation, 'id'>>(operations).map(([id, each]) => ({
      id: id as OperationId,
      ...each,
    })),
);

const byId = new Map<string, DescribedOperation>(OPERATIONS.map((entry) => [entry.id, entry]));

/** The operation of that id; an id of the table is always found. */
export function operation(id: OperationId): DescribedOperation {
  const found = byId.get(id);
  if (found === undefined) throw new RangeError(`There is no operation ${id}.`);
  return found;
}
