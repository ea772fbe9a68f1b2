import { z } from 'zod';
import { WrittenConditions } from '../answers/conditions.ts';
import { Id, Named, Priority } from '../answers/shared.ts';
import { TimeRestriction } from '../answers/time-restrictions.ts';
import { DELAY_OPTIONS } from '../bodies/policy-effects.ts';
import { type Description, LARGE_BODY, resource, type Rules, SMALL_BODY } from '../operation.ts';
import { createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';
import { CreatePolicyBody, MovePolicyBody, POLICY_V1_TYPES, UpdatePolicyBody } from './policy-bodies.ts';

/** As it was written (E10). */
const PolicyDuration = z
  .object({
    timeAmount: z.int().min(1),
    timeUnit: z.enum(['days', 'hours', 'minutes', 'seconds', 'milliseconds']),
  })
  .meta({ id: 'Duration' });

/** A responder that a modify policy adds; without a name where it was deleted. */
const Recipient = z.discriminatedUnion('type', [
  z.object({ type: z.literal('user'), id: Id, username: z.string().optional() }),
  z.object({ type: z.enum(['escalation', 'schedule', 'team']), id: Id, name: z.string().optional() }),
  z.object({ type: z.enum(['all', 'none']) }),
]);

/** A responder that it adds, in version 2: by id alone. */
const Responder = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['user', 'escalation', 'schedule', 'team']), id: Id }),
  z.object({ type: z.enum(['all', 'none']) }),
]);

const common = {
  id: Id,
  name: z.string(),
  enabled: z.boolean(),
  policyDescription: z.string(),
  filter: WrittenConditions.optional().meta({ description: 'Absent where none was written.' }),
  timeRestrictions: TimeRestriction.optional(),
};

const template = z.string().meta({ description: 'A template of the alert before it.' });

/** The fields with the same name in both versions. */
const modify = {
  message: template,
  description: template,
  continue: z.boolean(),
  alias: template,
  entity: template,
  source: template,
  ignoreOriginalDetails: z.boolean(),
  ignoreOriginalTags: z.boolean(),
  details: z.record(z.string(), z.string()),
  tags: z.array(z.string()),
  priority: Priority.optional(),
  actions: z.array(z.string()),
};

const delay = {
  delayOption: z.enum(DELAY_OPTIONS),
  untilHour: z.int().min(0).max(23).optional(),
  untilMinute: z.int().min(0).max(59).optional(),
  duration: PolicyDuration.optional().meta({ description: 'Of `for-duration` alone, which has no time of day.' }),
};
const deduplication = {
  deduplicationActionType: z.enum(['value-based', 'frequency-based']),
  count: z.int().min(2),
  duration: PolicyDuration.optional().meta({ description: 'Of `frequency-based` alone.' }),
};
const autoClose = { duration: PolicyDuration };
const autoRestart = { duration: PolicyDuration, maxRepeatCount: z.int().min(0) };

/** A policy as version 1 shows it: its fields and those of its type (part 1, 2.8). */
const PolicyV1 = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('modify'),
      ...common,
      ...modify,
      ignoreOriginalAlertActions: z.boolean(),
      ignoreOriginalRecipients: z.boolean(),
      ignoreOriginalTeams: z.boolean(),
      alertActions: z.array(z.string()),
      recipients: z.array(Recipient),
    }),
    z.object({ type: z.literal('notification-suppress'), ...common }),
    z.object({ type: z.literal('notification-delay'), ...common, ...delay }),
    z.object({ type: z.literal('notification-deduplication'), ...common, ...deduplication }),
    z.object({ type: z.literal('auto-close'), ...common, ...autoClose }),
    z.object({ type: z.literal('auto-restart-notifications'), ...common, ...autoRestart }),
  ])
  .meta({ id: 'PolicyV1' });

const ofTeam = { teamId: Id.optional().meta({ description: 'Absent for a policy of the account.' }) };

/** A policy as version 2 shows it (wire facts 5). */
export const PolicyV2 = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('alert'),
      ...common,
      ...ofTeam,
      ...modify,
      alertDescription: template,
      ignoreOriginalActions: z.boolean(),
      ignoreOriginalResponders: z.boolean(),
      responders: z.array(Responder),
    }),
    z.object({
      type: z.literal('notification'),
      ...common,
      ...ofTeam,
      suppress: z.boolean(),
      delayAction: z.object(delay).optional(),
      deduplicationAction: z.object(deduplication).optional(),
      autoCloseAction: z.object(autoClose).optional(),
      autoRestartAction: z.object(autoRestart).optional(),
    }),
  ])
  .meta({ id: 'PolicyV2' });

const read = { right: 'read-configuration', domain: 'configuration', owner: 'alert-processor' } as const;
const write = { right: 'write-configuration', domain: 'configuration', owner: 'alert-processor' } as const;
/** Version 1 knows the policies of the account alone (K8). */
const readOfAccount = { ...read, teamKeys: 'refused' } as const;
const writeOfAccount = { ...write, teamKeys: 'refused' } as const;
const V1 = '/v1/policies/{identifier}';

const id = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e20';
const filter = {
  type: 'match-all-conditions',
  conditions: [{ field: 'priority', operation: 'equals', expectedValue: 'P5' }],
};
const commonExample = { name: 'Nothing wakes us for a P5', enabled: true };
const body = {
  type: 'notification-delay',
  ...commonExample,
  filter,
  delayOption: 'next-time',
  untilHour: 8,
  untilMinute: 30,
};
const created = { id, name: commonExample.name, type: body.type, enabled: true };
const policy = {
  ...created,
  policyDescription: '',
  filter: { ...filter, conditions: [{ ...filter.conditions[0], not: false, order: 0 }] },
  delayOption: 'next-time',
  untilHour: 8,
  untilMinute: 30,
};

const Created = Named.extend({ type: z.enum(POLICY_V1_TYPES), enabled: z.boolean() });
const Item = Created.extend({ order: z.int().min(0).meta({ description: 'Its place within its group.' }) });

const switched = (result: string) => ({ success: doneAnswer(result), refusals: [404] }) satisfies Description;

const RULES: Rules = {
  P14: [
    'Fields of a policy in both versions:',
    'Both versions of the API read and write the same policy. Fields that a version does not have stay as they are when that version replaces the policy: in version 1 the further effects of a notification policy; in version 2 whether original recipients or teams are ignored, where it is not both (`ignoreOriginalResponders`).',
    'A filter is returned where one was written, `{}` as match-all, conditions with an `order`.',
    'Version 1 returns recipients with their names, version 2 only with type and id, because Terraform reports a name that is not in its plan as a change.',
    '`alertActions` and `actions` of version 1 are one field, as are `alertDescription` and `description` of version 2. Where a PUT has both, the one that was changed counts, else the first.',
    '`details` are a map, or a list of `{key, value}` or of texts, whose keys are their positions.',
  ],
  P17: [
    'The two versions of policies:',
    'Version 1 has the policies of the account. The type of a notification policy in it is the first effect that the policy has of suppress, delay, deduplication, auto-close and auto-restart. A policy without an effect is in version 2 only. A PUT with another type or kind is 422.',
    'Each group has its own order.',
    '`maxRepeatCount`, `untilHour` and `untilMinute` are 0 where they are left out.',
    '`enabled` is required in version 1. In version 2 a create without it is enabled and a PUT leaves it.',
    'Names need not be unique.',
    'A policy has a place, from 0 without gaps, among the policies of its kind of the account or of one team; a new one is the last. The groups of version 1 are parts of that order: version 1 numbers and moves policies within their group. A move or a delete does not change the order of the others.',
    '`teamId` in the query of version 2 is the team whose policies are listed, or that owns a new policy; an unknown team: 404. A request that names a policy by its id may leave it out; a team that does not own the policy: 404.',
    'A recipient who does not exist: 404, but a policy keeps the recipients that it has.',
    'The account, and each team, has at most 1000 policies and 4 MB (4 000 000 bytes) of them: else 422.',
  ],
  P18: [
    'The policies of a deleted team stay listed under its id. They can be read, replaced, moved and deleted, but not enabled: 404 that names the team.',
  ],
};

/** Part 1, 4.5: the policies of the account by version 1. */
export const POLICIES = resource('Policies, version 1', RULES, {
  'create-policy': {
    ...writeOfAccount,
    ...LARGE_BODY,
    method: 'POST',
    path: '/v1/policies',
    summary: 'Creates a policy',
    body: { schema: CreatePolicyBody, example: body },
    success: createdAnswer(Created, created),
    refusals: [404],
  },
  'list-policies': {
    ...readOfAccount,
    method: 'GET',
    path: '/v1/policies',
    summary: 'Lists policies by group',
    description:
      'One group after the other: auto-restart, auto-close, notification (suppress, deduplication and delay together), modify.',
    success: dataAnswer(z.array(Item), [{ ...created, order: 0 }]),
  },
  'get-policy': {
    ...readOfAccount,
    method: 'GET',
    path: V1,
    summary: 'Reads a policy',
    success: dataAnswer(PolicyV1, policy),
    refusals: [404],
  },
  'update-policy': {
    ...writeOfAccount,
    ...LARGE_BODY,
    method: 'PUT',
    path: V1,
    summary: 'Replaces a policy',
    description: 'All of it is replaced; its type can not be changed.',
    body: { schema: UpdatePolicyBody, example: body },
    ...switched('Updated'),
  },
  'delete-policy': {
    ...writeOfAccount,
    ...SMALL_BODY,
    method: 'DELETE',
    path: V1,
    summary: 'Deletes a policy',
    ...switched('Deleted'),
  },
  'enable-policy': {
    ...writeOfAccount,
    ...SMALL_BODY,
    method: 'POST',
    path: `${V1}/enable`,
    summary: 'Enables a policy',
    ...switched('Enabled'),
  },
  'disable-policy': {
    ...writeOfAccount,
    ...SMALL_BODY,
    method: 'POST',
    path: `${V1}/disable`,
    summary: 'Disables a policy',
    ...switched('Disabled'),
  },
  'change-policy-order': {
    ...writeOfAccount,
    ...SMALL_BODY,
    method: 'POST',
    path: `${V1}/change-order`,
    summary: 'Moves a policy',
    description: 'A place beyond the end of its group means the last.',
    body: { schema: MovePolicyBody, example: { targetIndex: 0 } },
    ...switched('Order Changed'),
  },
});
