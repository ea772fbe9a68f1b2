import { z } from 'zod';
import { CreatePolicyBody, MovePolicyBody, POLICY_V1_TYPES, UpdatePolicyBody } from '@tocsin/contracts';
import { PolicyV1 } from '../answers/policies.ts';
import { Named } from '../answers/shared.ts';
import { area, type Description } from '../description.ts';
import { createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';

const id = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e20';
const filter = {
  type: 'match-all-conditions',
  conditions: [{ field: 'priority', operation: 'equals', expectedValue: 'P5' }],
};
const common = { name: 'Nothing wakes us for a P5', enabled: true };
const body = { type: 'notification-delay', ...common, filter, delayOption: 'next-time', untilHour: 8, untilMinute: 30 };
const created = { id, name: common.name, type: body.type, enabled: true };
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
export const POLICIES = area({
  'create-policy': {
    body: { schema: CreatePolicyBody, example: body },
    success: createdAnswer(Created, created),
    refusals: [404],
  },
  'list-policies': {
    description:
      'One group after the other: auto-restart, auto-close, notification (suppress, deduplication and delay together), modify.',
    success: dataAnswer(z.array(Item), [{ ...created, order: 0 }]),
  },
  'get-policy': {
    success: dataAnswer(PolicyV1, policy),
    refusals: [404],
  },
  'update-policy': {
    description: 'All of it is replaced; its type can not be changed.',
    body: { schema: UpdatePolicyBody, example: body },
    ...switched('Updated'),
  },
  'delete-policy': switched('Deleted'),
  'enable-policy': switched('Enabled'),
  'disable-policy': switched('Disabled'),
  'change-policy-order': {
    description: 'A place beyond the end of its group means the last.',
    body: { schema: MovePolicyBody, example: { targetIndex: 0 } },
    ...switched('Order Changed'),
  },
});
