import { listOf, optional, type ServiceName } from '@tocsin/events';
import { z } from 'zod';
import { Id } from '../answers/shared.ts';
import { RoleBody } from '../bodies/roles.ts';
import { type DescribedOperation, LARGE_BODY, MEDIUM_BODY, resource, type Rules } from '../operation.ts';
import { CreateEscalationBody } from './escalations.ts';
import { CreateForwardingRuleBody } from './forwarding-rules.ts';
import { CreateHeartbeatBody, HEARTBEAT_PATH } from './heartbeats.ts';
import { CreateOverrideBody } from './overrides.ts';
import { EXAMPLES } from './schedule-examples.ts';
import { CreateScheduleBody, RotationBody } from './schedules.ts';

const ROLE_ID = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e50';

const importId = z
  .string()
  .regex(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/, 'should be a UUID in lower case')
  .meta({ description: 'The id that the thing has in the account from which it comes: a UUID in lower case.' });

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
});
