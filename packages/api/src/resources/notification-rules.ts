import { ActionType, ContactMethod, LeadTime } from '@tocsin/events';
import { z } from 'zod';
import { WrittenConditions } from '../answers/conditions.ts';
import { Id } from '../answers/shared.ts';
import { TimeRestriction } from '../answers/time-restrictions.ts';
import { type Description, MEDIUM_BODY, resource, type Rules, SMALL_BODY } from '../operation.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';
import {
  ChangeNotificationRuleOrderBody,
  CopyNotificationRulesBody,
  CreateNotificationRuleBody,
  UpdateNotificationRuleBody,
} from './notification-rule-bodies.ts';
import { OF_USER } from './paths.ts';

const step = {
  id: Id,
  contact: z.object({ method: z.enum(ContactMethod.options), to: z.string() }),
  sendAfter: z
    .object({ timeAmount: z.int().min(0), timeUnit: z.literal('minutes') })
    .meta({ description: 'How long after the page the message is sent.' }),
  enabled: z.boolean(),
};
const summary = {
  id: Id,
  name: z.string(),
  actionType: z.enum(ActionType.options),
  order: z.int().min(0).meta({ description: 'The place among the rules of this action type.' }),
  enabled: z.boolean(),
};

/** A rule as lists and answers to writes show it (part 3, 2.3). */
const NotificationRuleSummary = z.object(summary).meta({ id: 'NotificationRuleSummary' });

/** Part 3, 2.3. */
const NotificationRule = z
  .object({
    ...summary,
    criteria: WrittenConditions,
    notificationTime: z
      .array(z.enum(LeadTime.options))
      .optional()
      .meta({ description: 'Only of rules about the start or the end of a shift.' }),
    schedules: z
      .array(z.object({ type: z.literal('schedule'), id: Id, name: z.string().optional() }))
      .optional()
      .meta({
        description: 'Only of rules about the start or the end of a shift. An empty list means every schedule.',
      }),
    timeRestriction: TimeRestriction.optional(),
    steps: z.array(z.object(step)),
    repeat: z.object({ loopAfter: z.int().min(1).meta({ description: 'Minutes.' }), enabled: z.boolean() }).optional(),
  })
  .meta({ id: 'NotificationRule' });

/** A step by itself, with the rule that it is a part of (part 3, 2.4). */
export const NotificationStep = z
  .object({ ...step, _parent: z.object({ id: Id, name: z.string() }).meta({ description: 'The rule of the step.' }) })
  .meta({ id: 'NotificationStep' });

const read = { right: 'read-configuration', domain: 'configuration', owner: 'directory' } as const;
/** People belong to the account, so no team key changes them, their contacts or their rules (K8). */
const write = {
  right: 'write-configuration',
  domain: 'configuration',
  owner: 'directory',
  teamKeys: 'refused',
  people: 'self',
} as const;
const ALL = '/v2/users/{userIdentifier}/notification-rules';
const RULE = `${ALL}/{ruleId}`;
/** It writes the rules of other users. */
const copyRules = {
  ...write,
  people: 'admin',
  path: `${ALL}/copy-to`,
  summary: 'Copies notification rules to other users',
} as const;

const id = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e32';
const summaryExample = { id, name: 'Urgent at night', actionType: 'create-alert', order: 0, enabled: true };
const criteria = {
  type: 'match-all-conditions',
  conditions: [{ field: 'priority', not: false, operation: 'equals', expectedValue: 'P1' }],
};
const contact = { method: 'sms', to: '44-2079460000' };
const rule = {
  ...summaryExample,
  criteria,
  steps: [
    {
      id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e33',
      contact,
      sendAfter: { timeAmount: 5, timeUnit: 'minutes' },
      enabled: true,
    },
  ],
  repeat: { loopAfter: 10, enabled: true },
};

const changed = (result: string, data: Readonly<Record<string, unknown>>) =>
  changedAnswer(result, NotificationRuleSummary, data);

const switched = (result: string) => changedAnswer(result, z.object({ id: Id }), { id });

const copy = {
  description:
    'The copies replace the rules of those types of each user. Up to 50 users have the copies before the answer, more get them after it. Copies of a step are left out where the user has no contact of its method (U12).',
  params: OF_USER,
  body: { schema: CopyNotificationRulesBody, example: { toUsers: ['bob@example.com'], ruleTypes: ['new-alert'] } },
  success: {
    status: 200,
    schema: z.object({
      result: z.string(),
      leftOut: z.array(z.string()).optional().meta({ description: 'What is not copied, and why.' }),
    }),
    example: { result: 'Copying of notification rules to 1 user started and is done.' },
  },
  refusals: [404],
} as const satisfies Description;

const RULES: Rules = {
  U12: [
    'Notification rules:',
    '`notificationTime` and `schedules` belong to the rules about shifts (`schedule-start`, `schedule-end`); other rules ignore them. A PATCH of such a rule must have `notificationTime`; enabling and moving it need not.',
    "`schedules` are the schedules with the user in a rotation and those of the user's teams (another: 422); none means all. A schedule that is deleted, or no longer one of these, stays listed and may be sent back; it has no effect.",
    'A step names a contact of the user (else 404; mail addresses in any case), except for `mobile`. A repeat of only `{"enabled": false}` means no repeat.',
    'The rules of a user have at most 500 000 characters together, besides the limits of lists.',
    "copy-to replaces the rules of one user all at once. The answer's `leftOut` names, for the first hundred users, the steps for which a user has no contact and the rules without a remaining step or schedule. Where nothing of a type remains, the user keeps their own rules of it.",
    'Users who get the copies after the answer get those of the rules as they were at the answer. A user who already has them is not changed.',
  ],
};

/** Part 3, 4.3, and wire facts 5. */
export const NOTIFICATION_RULES = resource('Notification rules', RULES, {
  'create-notification-rule': {
    ...write,
    ...MEDIUM_BODY,
    method: 'POST',
    path: ALL,
    summary: 'Creates a notification rule',
    description:
      'Without an order the rule comes last among those of its action type. Rules about shifts need `notificationTime`; steps of rules for created and assigned alerts need `sendAfter`.',
    params: OF_USER,
    body: {
      schema: CreateNotificationRuleBody,
      example: {
        name: 'Urgent at night',
        actionType: 'create-alert',
        enabled: true,
        order: 0,
        criteria,
        steps: [{ contact, sendAfter: { timeAmount: 5, timeUnit: 'minutes' }, enabled: true }],
        repeat: { loopAfter: 10 },
      },
    },
    success: createdAnswer(NotificationRuleSummary, summaryExample),
    refusals: [404],
  },
  'list-notification-rules': {
    ...read,
    method: 'GET',
    path: ALL,
    summary: 'Lists the notification rules of a user',
    description: 'By action type, then by order.',
    params: OF_USER,
    success: dataAnswer(z.array(NotificationRuleSummary), [summaryExample]),
    refusals: [404],
  },
  'get-notification-rule': {
    ...read,
    method: 'GET',
    path: RULE,
    summary: 'Reads a notification rule',
    params: OF_USER,
    success: dataAnswer(NotificationRule, rule),
    refusals: [404],
  },
  'update-notification-rule': {
    ...write,
    ...MEDIUM_BODY,
    method: 'PATCH',
    path: RULE,
    summary: 'Changes a notification rule',
    description:
      'What the body leaves out stays as it is, the action type always. Steps and schedules are replaced as a whole; a step keeps its id where that is sent.',
    params: OF_USER,
    body: { schema: UpdateNotificationRuleBody, example: { enabled: false } },
    success: changed('Updated', { ...summaryExample, enabled: false }),
    refusals: [404],
  },
  'delete-notification-rule': {
    ...write,
    ...SMALL_BODY,
    method: 'DELETE',
    path: RULE,
    summary: 'Deletes a notification rule',
    params: OF_USER,
    success: doneAnswer('Deleted'),
    refusals: [404],
  },
  'enable-notification-rule': {
    ...write,
    ...SMALL_BODY,
    method: 'POST',
    path: `${RULE}/enable`,
    summary: 'Enables a notification rule',
    params: OF_USER,
    success: switched('Enabled'),
    refusals: [404],
  },
  'disable-notification-rule': {
    ...write,
    ...SMALL_BODY,
    method: 'POST',
    path: `${RULE}/disable`,
    summary: 'Disables a notification rule',
    params: OF_USER,
    success: switched('Disabled'),
    refusals: [404],
  },
  'change-notification-rule-order': {
    ...write,
    ...SMALL_BODY,
    method: 'POST',
    path: `${RULE}/change-order`,
    summary: 'Moves a notification rule',
    description: 'The place is one among the rules of the same action type.',
    params: OF_USER,
    body: { schema: ChangeNotificationRuleOrderBody, example: { order: 1 } },
    success: changed('Changed', { ...summaryExample, order: 1 }),
    refusals: [404],
  },
  'copy-notification-rules': {
    ...copyRules,
    ...MEDIUM_BODY,
    method: 'PATCH',
    ...copy,
  },
  'copy-notification-rules-by-post': {
    ...copyRules,
    ...MEDIUM_BODY,
    method: 'POST',
    ...copy,
  },
});
