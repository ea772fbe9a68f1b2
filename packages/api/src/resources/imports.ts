import { listOf, optional, type ServiceName } from '@tocsin/events';
import { z } from 'zod';
import { Id } from '../answers/shared.ts';
import { ImportKeyBody, importIntegrationBody } from '../bodies/imported-integrations.ts';
import { ImportPolicyV1Body, ImportPolicyV2Body } from '../bodies/imported-policies.ts';
import { RoleBody } from '../bodies/roles.ts';
import { type DescribedOperation, LARGE_BODY, MEDIUM_BODY, resource, type Rules, SMALL_BODY } from '../operation.ts';
import { CreateEscalationBody } from './escalations.ts';
import { CreateForwardingRuleBody } from './forwarding-rules.ts';
import { CreateHeartbeatBody, HEARTBEAT_PATH } from './heartbeats.ts';
import { ImportMaintenanceBody } from './maintenance.ts';
import { CreateOverrideBody } from './overrides.ts';
import { CreateSavedSearchBody } from './saved-searches.ts';
import { EXAMPLES } from './schedule-examples.ts';
import { CreateScheduleBody, RotationBody } from './schedules.ts';

const ROLE_ID = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e50';

const importId = z
  .string()
  .regex(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/, 'should be a UUID in lower case')
  .meta({ description: 'The id that the thing has in the account from which it comes: a UUID in lower case.' });

/** Of the examples. */
const [INTEGRATION_ID, POLICY_ID, POLICY_V1_ID, MAINTENANCE_ID, SEARCH_ID] = [
  '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e40',
  '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e21',
  '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e26',
  '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e22',
  '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e30',
] as const;

/** The path of an import by id. */
export const ImportPath = z.object({ identifier: importId });

/** Refuses a list in which two things have the same value of `field`. */
const eachOnce =
  <K extends string>(field: K) =>
  (
    items: readonly Readonly<Partial<Record<K, string | undefined>>>[],
    context: { addIssue(issue: { code: 'custom'; path: (string | number)[]; message: string }): void },
  ): void => {
    const seen = new Set<string>();
    for (const [index, { [field]: value }] of items.entries()) {
      if (value === undefined) continue;
      const path = [index, field];
      if (seen.has(value)) context.addIssue({ code: 'custom', path, message: 'should be unique in the list' });
      seen.add(value);
    }
  };

/** The body that imports a schedule: that which creates it, with the ids of its rotations and all of its overrides. */
export const ImportScheduleBody = CreateScheduleBody.extend({
  rotations: optional(listOf(RotationBody.extend({ id: optional(importId) })).superRefine(eachOnce('id'))),
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
    'There are these operations only where the gateway has `IMPORT=on`; else each answers 404. They are for keys of the account alone.',
    'The body is the whole thing, as it would be created. What it leaves out has the value that a created one has. A thing that has the id becomes what the body says; where none has it, it is created with that id. Things within it, such as rotations and steps, keep the ids that they have in the body.',
    'A repeat changes nothing: the answer says `Unchanged`, and nothing is written or published.',
    'The body is checked as that of the public operation, with the same refusals. An id that another thing has, and a name that one under another id has, are refused with 409.',
    'An import sends no message: no invitation, no code, no notice.',
  ],
  I2: [
    'The import of a schedule:',
    'The starts and ends of rotations are kept as they are written: they do not snap to the half hour (S1), which the account from which they come has done, in the zone that the schedule had then. A rotation without an `id` has the same id in each import.',
    '`overrides` are all of its overrides, in the order of their creation (S4). One names rotations of the same body. Overrides that the body leaves out are deleted.',
    'An escalation may name a schedule that has a rotation with that escalation: import the schedule without its rotations, then the escalation, then the schedule again.',
  ],
  I3: [
    'The import of a heartbeat:',
    'It is by its name, which the body has too: another one is 422.',
    'One that is imported with `enabled: false` does not expire until it is enabled. Imported again, it keeps its last ping, and its alert stays open or closed. Another interval is as in a PATCH (H2), and another `enabled` is enabling or disabling (H3, H4).',
  ],
  I5: [
    'An integration is imported with `enabled` and its `actions`. One that exists keeps its keys, and its type cannot change. Secrets are sent as they are: a masked one (`*****`) is refused with 422.',
  ],
  I6: [
    'A key is imported as `apiKey`, or as `sha256` of it in lower case. Keys are UUIDs, as those of Opsgenie are; others are refused with 422. Tocsin stores the hash alone, and no answer, log or refusal contains a key.',
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
    description: 'Of rules of one user that overlap the one that was imported first counts least (S13).',
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
