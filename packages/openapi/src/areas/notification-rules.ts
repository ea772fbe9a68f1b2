import { z } from 'zod';
import {
  ChangeNotificationRuleOrderBody,
  CopyNotificationRulesBody,
  CreateNotificationRuleBody,
  UpdateNotificationRuleBody,
} from '@tocsin/contracts';
import { NotificationRule, NotificationRuleSummary } from '../answers/notification-rules.ts';
import { Id } from '../answers/shared.ts';
import { area, type Description } from '../description.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';
import { OF_USER } from './paths.ts';

const id = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e32';
const summary = { id, name: 'Urgent at night', actionType: 'create-alert', order: 0, enabled: true };
const criteria = {
  type: 'match-all-conditions',
  conditions: [{ field: 'priority', not: false, operation: 'equals', expectedValue: 'P1' }],
};
const contact = { method: 'sms', to: '44-2079460000' };
const rule = {
  ...summary,
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
  path: OF_USER,
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

/** Part 3, 4.3, and wire facts 5. */
export const NOTIFICATION_RULES = area({
  'create-notification-rule': {
    description:
      'Without an order the rule comes last among those of its action type. Rules about shifts need `notificationTime`; steps of rules for created and assigned alerts need `sendAfter`.',
    path: OF_USER,
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
    success: createdAnswer(NotificationRuleSummary, summary),
    refusals: [404],
  },
  'list-notification-rules': {
    description: 'By action type, then by order.',
    path: OF_USER,
    success: dataAnswer(z.array(NotificationRuleSummary), [summary]),
    refusals: [404],
  },
  'get-notification-rule': {
    path: OF_USER,
    success: dataAnswer(NotificationRule, rule),
    refusals: [404],
  },
  'update-notification-rule': {
    description:
      'What the body leaves out stays as it is, the action type always. Steps and schedules are replaced as a whole; a step keeps its id where that is sent.',
    path: OF_USER,
    body: { schema: UpdateNotificationRuleBody, example: { enabled: false } },
    success: changed('Updated', { ...summary, enabled: false }),
    refusals: [404],
  },
  'delete-notification-rule': {
    path: OF_USER,
    success: doneAnswer('Deleted'),
    refusals: [404],
  },
  'enable-notification-rule': { path: OF_USER, success: switched('Enabled'), refusals: [404] },
  'disable-notification-rule': { path: OF_USER, success: switched('Disabled'), refusals: [404] },
  'change-notification-rule-order': {
    description: 'The place is one among the rules of the same action type.',
    path: OF_USER,
    body: { schema: ChangeNotificationRuleOrderBody, example: { order: 1 } },
    success: changed('Changed', { ...summary, order: 1 }),
    refusals: [404],
  },
  'copy-notification-rules': copy,
  'copy-notification-rules-by-post': copy,
});
