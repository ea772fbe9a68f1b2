import { z } from 'zod';
import { CreateForwardingRuleBody, ForwardingRuleQuery, UpdateForwardingRuleBody } from '@tocsin/contracts';
import { ForwardingRule } from '../answers/schedules.ts';
import { Id } from '../answers/shared.ts';
import { area } from '../description.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';
import { EXAMPLES } from './schedule-examples.ts';

const Written = z.object({ alias: z.string(), id: Id });
const written = { alias: 'ada-is-away', id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e18' };
const { ada, grace, week } = EXAMPLES;
const body = { fromUser: { username: ada.username }, toUser: { username: grace.username }, ...week };
const rule = { ...written, fromUser: ada, toUser: grace, ...week };

/** Part 2, 4.7. */
export const FORWARDING_RULES = area({
  'create-forwarding-rule': {
    description: 'Of rules of one user that overlap the one created last counts.',
    body: { schema: CreateForwardingRuleBody, example: { alias: written.alias, ...body } },
    success: createdAnswer(Written, written),
    refusals: [404, 409],
  },
  'list-forwarding-rules': {
    success: dataAnswer(z.array(ForwardingRule), [rule]),
  },
  'get-forwarding-rule': {
    query: ForwardingRuleQuery,
    success: dataAnswer(ForwardingRule, rule),
    refusals: [404],
  },
  'update-forwarding-rule': {
    description: 'All of it is replaced but its id and alias.',
    query: ForwardingRuleQuery,
    body: { schema: UpdateForwardingRuleBody, example: body },
    success: changedAnswer('Updated', Written, written),
    refusals: [404],
  },
  'delete-forwarding-rule': {
    query: ForwardingRuleQuery,
    success: doneAnswer('Deleted'),
    refusals: [404],
  },
});
