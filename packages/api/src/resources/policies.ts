import { z } from 'zod';
import { WrittenConditions } from '../answers/conditions.ts';
import { Id, Named, Priority } from '../answers/shared.ts';
import { TimeRestriction } from '../answers/time-restrictions.ts';
import { DELAY_OPTIONS } from '../bodies/policy-effects.ts';
import { type Description, LARGE_BODY, resource, SMALL_BODY } from '../operation.ts';
import { createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';
import { CreatePolicyBody, MovePolicyBody, POLICY_V1_TYPES, UpdatePolicyBody } from './policy-bodies.ts';

/** As it was written (E10). */
const PolicyDuration = z
  .object({
    timeAmount: z.int().min(1),
    timeUnit: z.enum(['days', 'hours', 'minutes', 'seconds', 'milliseconds']),
  })
  .meta({ id: 'Duration' });

/** Whom a modify policy adds; without a name where the thing is gone. */
const Recipient = z.discriminatedUnion('type', [
  z.object({ type: z.literal('user'), id: Id, username: z.string().optional() }),
  z.object({ type: z.enum(['escalation', 'schedule', 'team']), id: Id, name: z.string().optional() }),
  z.object({ type: z.enum(['all', 'none']) }),
]);

/** Whom it adds, by version 2: by id alone. */
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

/** What both versions call alike. */
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

/** Part 1, 4.5: the policies of the account by version 1. */
export const POLICIES = resource({
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
