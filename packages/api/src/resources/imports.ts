import { listOf, optional, type ServiceName } from '@tocsin/events';
import { z } from 'zod';
import { Id } from '../answers/shared.ts';
import { eachOnce, ImportId, NestedImportId } from '../bodies/import-ids.ts';
import { ImportKeyBody, importIntegrationBody } from '../bodies/imported-integrations.ts';
import { ImportPolicyV1Body, ImportPolicyV2Body } from '../bodies/imported-policies.ts';
import { RoleBody } from '../bodies/roles.ts';
import { type DescribedOperation, LARGE_BODY, MEDIUM_BODY, resource, type Rules, SMALL_BODY } from '../operation.ts';
import {
  ImportNotificationRulesBody,
  ImportRoutingRulesBody,
  ImportTeamBody,
  ImportUserBody,
} from './directory-import-bodies.ts';
import { CreateEscalationBody } from './escalations.ts';
import { CreateForwardingRuleBody } from './forwarding-rules.ts';
import { CreateHeartbeatBody, HEARTBEAT_PATH } from './heartbeats.ts';
import { ImportMaintenanceBody } from './maintenance.ts';
import { CreateOverrideBody } from './overrides.ts';
import { CreateSavedSearchBody } from './saved-searches.ts';
import { EXAMPLES } from './schedule-examples.ts';
import { CreateScheduleBody, RotationBody } from './schedules.ts';

const criteria = {
  type: 'match-all-conditions',
  conditions: [{ field: 'tags', operation: 'contains', expectedValue: 'backup' }],
};
const TEAM_ID = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e20';
const USER_ID = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e30';
const ROLE_ID = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e50';

/** Of the examples. */
const [INTEGRATION_ID, POLICY_ID, POLICY_V1_ID, MAINTENANCE_ID, SEARCH_ID] = [
  '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e40',
  '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e21',
  '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e26',
  '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e22',
  '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e30',
] as const;

/** The path of an import by id. */
export const ImportPath = z.object({ identifier: ImportId });

/** The body that imports a schedule: that which creates it, with the ids of its rotations and all of its overrides. */
export const ImportScheduleBody = CreateScheduleBody.extend({
  rotations: optional(listOf(RotationBody.extend({ id: NestedImportId })).superRefine(eachOnce('id'))),
  overrides: optional(listOf(CreateOverrideBody).superRefine(eachOnce('alias'))),
});
export type ImportScheduleBody = z.infer<typeof ImportScheduleBody>;

/** The answer of an import: whether the thing was made, changed, or the same already. */
const RESULT = z.enum(['Created', 'Updated', 'Unchanged']);

const IMPORTED = z.object({ result: RESULT, data: z.object({ id: Id }) });

const imported = (id: string) =>
  ({ status: 200, schema: IMPORTED, example: { result: 'Created', data: { id } } }) as const;

/** What all imports share. */
const importBy = (owner: ServiceName) =>
  ({
    right: 'write-configuration',
    domain: 'configuration',
    owner,
    people: 'none',
    teamKeys: 'refused',
    setting: 'IMPORT',
    method: 'PUT',
    params: ImportPath,
    refusals: [404, 409],
  }) as const satisfies Partial<DescribedOperation>;

const RULES: Rules = {
  I1: [
    'The import of an account with its ids:',
    'These operations exist only where the gateway has `IMPORT=on`; elsewhere each answers 404. Only keys of the account may call them.',
    'The body is the whole thing, as it would be created. What it leaves out has the value that a created one has. A thing that has the id becomes what the body says; where none has it, it is created with that id. Things within it, such as rotations and steps, keep the ids that they have in the body.',
    'A repeat changes nothing: the answer says `Unchanged`, and nothing is written.',
    'The body is checked as that of the public operation, with the same refusals. An id that another thing has, and a name that one under another id has, are refused with 409.',
    'An import sends no message: no invitation, no code, no notice.',
  ],
  I2: [
    'The import of a schedule:',
    'The starts and ends of rotations are kept as they are written: they do not snap to the half hour (S1), because the other account has snapped them already, in the zone that the schedule had then. A rotation without an `id` has the same id in each import.',
    '`overrides` are all of its overrides, in the order of their creation (S4). One names rotations of the same body. Overrides that the body leaves out are deleted.',
    'An escalation may name a schedule that has a rotation with that escalation: import the schedule without its rotations, then the escalation, then the schedule again.',
  ],
  I3: [
    'The import of a heartbeat:',
    'Its name is in the path and in the body; another name in the body is refused with 422.',
    'One that is imported with `enabled: false` does not expire until it is enabled. Imported again, it keeps its last ping, and its alert stays open or closed. Another interval is as in a PATCH (H2), and another `enabled` is enabling or disabling (H3, H4).',
  ],
  I4: [
    'The import of a user:',
    '`contacts` are all contacts of the user that are not devices, by their order; devices and browsers that were registered here stay. They count as confirmed (U3). Steps follow a contact whose address changes, and are deleted with a contact that is left out.',
    'The address of the user name is a contact too: where the list lacks it, it is the first contact. It does not count among the two mail addresses that a user may have.',
    'A contact without an id keeps the id that it has by its address.',
    'The user name can change; then the user is not verified until a mail has reached the new one (U11). A user name that another user has is refused with 409, which names the id of that user.',
    'The role of the last owner of the account stays: another is 422.',
  ],
  I5: [
    'An integration is imported with `enabled` and its `actions`. One that exists keeps its keys, and its type cannot change. Secrets are sent as they are: a masked one (`*****`) is refused with 422. Where the rights of its key cannot be published, the request is answered 503, and so is each repeat until they are (K2).',
  ],
  I6: [
    'A key is imported as `apiKey`, or as `sha256` of it in lower case. Keys are UUIDs, as those of Opsgenie are; others are refused with 422. Tocsin stores the hash alone, and no answer, log or refusal contains a key.',
    'While the gateway has `FORWARD_TO_OPSGENIE`, requests of tools with an imported key are forwarded until shadow has ended (M8).',
    'The key becomes that of the integration. The key before works for another `KEY_ROTATION_OVERLAP_MINUTES` (P12).',
    'A key that another integration has, or had before its present one, is refused with 409, and so is one that a later key of the integration has replaced: a repeat takes back no rotation. To move a key, delete the integration that has it.',
    'An integration that takes mail has no key: 422. That of type Webhook needs `apiKey`, because its calls are signed with a secret that is derived from the key.',
  ],
  I7: [
    '`order` is the place of a policy in the other account among those of its kind and owner. It is put before the first imported policy that came after it there, else at that place or at the end, so policies keep their order whichever comes first, also where some are missing. One that exists is moved only where `order` is another than at its last import.',
    'A policy keeps its kind and its owner: 422. `/v2/policies` and `/v1/policies` show the same policies (P14): `policies-v1` takes those of the account in the form of version 1, changes of an existing one only what version 1 shows, and does not move it.',
  ],
  I8: [
    'A maintenance window is imported with its dates, or as `indefinitely`; other types are relative to the moment: 422. One that has ended is imported as past.',
    'Of a window that exists, a planned one may be changed, and of an active one the end, to a later time than now; else 422. One that was cancelled here stays cancelled.',
  ],
  I9: [
    'The import of a team:',
    'A team that is created has no default schedule and escalation. Its default routing rule notifies none until its routing rules are imported. The schedules and escalations that it had are imported as those that it owns.',
    '`members` and `roles` are all of the team. A role without an id keeps the id of the role at its place.',
    'A team with the id, or the name, that is being deleted is deleted before. A name that another team has is refused with 409, which names the id of that team.',
    'The routing rules are all of the team, in their order. The last one is the default rule: it matches all, and it alone may have `isDefault`. It keeps the name that the body gives it. A rule without an id keeps the id of the rule at its place.',
  ],
  I10: [
    'The import of the notification rules of a user: they are all rules of the user, at most 100. The rules of each action type are in the order of the list. A rule without an id keeps the id of the rule of its type at its place, and so does a step within its rule. What a rule may name is that of U12.',
  ],
};

const { ada, grace, nights, rotationBody, week } = EXAMPLES;

const SCHEDULE = {
  name: EXAMPLES.schedule.name,
  timezone: 'Europe/Rome',
  rotations: [{ ...rotationBody, id: nights.id, participants: [{ type: 'user', id: ada.id }] }],
  overrides: [{ alias: 'ada-is-away', user: { type: 'user', id: grace.id }, ...week, rotations: [{ id: nights.id }] }],
};

const ESCALATION_ID = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e51';
const ESCALATION = {
  name: 'Database',
  rules: [{ delay: { timeAmount: 5 }, recipient: { type: 'schedule', id: EXAMPLES.schedule.id } }],
};

const FORWARDING_RULE_ID = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e18';
const FORWARDING_RULE = { alias: 'ada-is-away', fromUser: { id: ada.id }, toUser: { id: grace.id }, ...week };

const HEARTBEAT = { name: 'nightly-backup', interval: 25, intervalUnit: 'hours', enabled: false };

/** The import of an account. Operations of Tocsin. */
export const IMPORTS = resource('Import', RULES, {
  'import-role': {
    ...importBy('directory'),
    ...MEDIUM_BODY,
    path: '/v2/imports/roles/{identifier}',
    summary: 'Imports a custom role',
    body: { schema: RoleBody, example: { name: 'Night watch', extendedRole: 'observer' } },
    success: imported(ROLE_ID),
  },
  'import-user': {
    ...importBy('directory'),
    ...MEDIUM_BODY,
    path: '/v2/imports/users/{identifier}',
    summary: 'Imports a user with their contacts',
    description: 'The user is not invited (I4).',
    body: {
      schema: ImportUserBody,
      example: {
        username: 'ada@example.com',
        fullName: 'Ada Lovelace',
        role: { name: 'user' },
        timeZone: 'Europe/London',
        contacts: [
          { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e31', method: 'email', to: 'ada@example.com', enabled: true },
          { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e34', method: 'sms', to: '44-2079460000', enabled: true },
        ],
      },
    },
    success: imported(USER_ID),
  },
  'import-team': {
    ...importBy('directory'),
    ...MEDIUM_BODY,
    path: '/v2/imports/teams/{identifier}',
    summary: 'Imports a team with its members and roles',
    description: 'The team gets no schedule and no escalation (I9).',
    body: {
      schema: ImportTeamBody,
      example: {
        name: 'Database',
        description: 'Keeps the databases running',
        members: [{ user: { id: USER_ID }, role: 'admin' }],
        roles: [
          {
            id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e22',
            name: 'Schedule editor',
            rights: [{ right: 'edit-schedules', granted: true }],
          },
        ],
      },
    },
    success: imported(TEAM_ID),
  },
  'import-routing-rules': {
    ...importBy('directory'),
    ...LARGE_BODY,
    path: '/v2/imports/routing-rules/{identifier}',
    summary: 'Imports all routing rules of a team',
    description: 'The identifier is that of the team. The last rule is the default rule (I9).',
    body: {
      schema: ImportRoutingRulesBody,
      example: {
        rules: [
          {
            id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e21',
            name: 'Backups',
            criteria,
            notify: { type: 'schedule', id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e14' },
          },
          { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e23', isDefault: true, notify: { type: 'none' } },
        ],
      },
    },
    success: imported(TEAM_ID),
  },
  'import-notification-rules': {
    ...importBy('directory'),
    ...LARGE_BODY,
    path: '/v2/imports/notification-rules/{identifier}',
    summary: 'Imports all notification rules of a user',
    description: 'The identifier is that of the user (I10).',
    body: {
      schema: ImportNotificationRulesBody,
      example: {
        rules: [
          {
            id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e32',
            name: 'Urgent at night',
            actionType: 'create-alert',
            enabled: true,
            steps: [
              {
                id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e33',
                contact: { method: 'sms', to: '44-2079460000' },
                sendAfter: { timeAmount: 5, timeUnit: 'minutes' },
                enabled: true,
              },
            ],
          },
        ],
      },
    },
    success: imported(USER_ID),
  },
  'import-schedule': {
    ...importBy('scheduling'),
    ...LARGE_BODY,
    path: '/v2/imports/schedules/{identifier}',
    summary: 'Imports a schedule with its rotations and overrides',
    body: { schema: ImportScheduleBody, example: SCHEDULE },
    success: imported(EXAMPLES.schedule.id),
  },
  'import-escalation': {
    ...importBy('scheduling'),
    ...MEDIUM_BODY,
    path: '/v2/imports/escalations/{identifier}',
    summary: 'Imports an escalation',
    body: { schema: CreateEscalationBody, example: ESCALATION },
    success: imported(ESCALATION_ID),
  },
  'import-forwarding-rule': {
    ...importBy('scheduling'),
    ...MEDIUM_BODY,
    path: '/v2/imports/forwarding-rules/{identifier}',
    summary: 'Imports a forwarding rule',
    description: 'Where rules of one user overlap, a rule counts more than those that were imported before it (S13).',
    body: { schema: CreateForwardingRuleBody, example: FORWARDING_RULE },
    success: imported(FORWARDING_RULE_ID),
  },
  'import-heartbeat': {
    ...importBy('heartbeat-monitor'),
    ...MEDIUM_BODY,
    path: '/v2/imports/heartbeats/{heartbeatName}',
    params: HEARTBEAT_PATH,
    summary: 'Imports a heartbeat',
    body: { schema: CreateHeartbeatBody, example: HEARTBEAT },
    success: {
      status: 200,
      schema: z.object({ result: RESULT, data: z.object({ name: z.string() }) }),
      example: { result: 'Created', data: { name: HEARTBEAT.name } },
    },
  },
  'import-integration': {
    ...importBy('alert-ingest'),
    ...LARGE_BODY,
    path: '/v2/imports/integrations/{identifier}',
    summary: 'Imports an integration with its actions',
    description: 'A new one gets a key that no answer shows: import its key, or rotate it.',
    body: {
      schema: importIntegrationBody([]),
      example: {
        type: 'Prometheus',
        name: 'Prometheus of the databases',
        tags: ['database'],
        actions: { create: [{ name: 'Create Alert' }] },
      },
    },
    success: imported(INTEGRATION_ID),
  },
  'import-key': {
    ...importBy('alert-ingest'),
    ...SMALL_BODY,
    path: '/v2/imports/keys/{identifier}',
    summary: 'Imports the key of an integration',
    description: 'Its senders then change the host name only. Only the hash of the key is stored.',
    body: { schema: ImportKeyBody, example: { apiKey: '7b1f0a52-6d2b-4e0f-9d3f-2f6f3c1f5a22' } },
    success: imported(INTEGRATION_ID),
  },
  'import-policy': {
    ...importBy('alert-processor'),
    ...LARGE_BODY,
    path: '/v2/imports/policies/{identifier}',
    summary: 'Imports a policy in the form of version 2',
    body: {
      schema: ImportPolicyV2Body,
      example: { type: 'alert', name: 'Say which host', message: '{{message}} on {{details.host}}', order: 0 },
    },
    success: imported(POLICY_ID),
  },
  'import-policy-v1': {
    ...importBy('alert-processor'),
    ...LARGE_BODY,
    path: '/v2/imports/policies-v1/{identifier}',
    summary: 'Imports a policy of the account in the form of version 1',
    body: {
      schema: ImportPolicyV1Body,
      example: { type: 'notification-suppress', name: 'Quiet', enabled: true, order: 0 },
    },
    success: imported(POLICY_V1_ID),
  },
  'import-maintenance': {
    ...importBy('alert-processor'),
    ...MEDIUM_BODY,
    path: '/v2/imports/maintenance/{identifier}',
    summary: 'Imports a maintenance window',
    body: {
      schema: ImportMaintenanceBody,
      example: {
        description: 'Database upgrade',
        time: { type: 'schedule', startDate: '2026-01-31T20:00:00Z', endDate: '2026-01-31T22:00:00Z' },
        rules: [{ entity: { type: 'integration', id: INTEGRATION_ID }, state: 'disabled' }],
      },
    },
    success: imported(MAINTENANCE_ID),
  },
  'import-saved-search': {
    ...importBy('alert-processor'),
    ...MEDIUM_BODY,
    path: '/v2/imports/saved-searches/{identifier}',
    summary: 'Imports a saved search',
    body: {
      schema: CreateSavedSearchBody,
      example: { name: 'Open and urgent', query: 'status:open', owner: { username: 'ada@example.com' } },
    },
    success: imported(SEARCH_ID),
  },
});
