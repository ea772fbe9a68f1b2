import { z } from 'zod';
import {
  ChangeRoutingRuleOrderBody,
  CreateRoutingRuleBody,
  TeamPartQuery,
  UpdateRoutingRuleBody,
} from '@tocsin/contracts';
import { Id, Named } from '../answers/shared.ts';
import { RoutingRule } from '../answers/teams.ts';
import { area } from '../description.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';
import { OF_TEAM } from './paths.ts';

const id = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e21';
const written = { id, name: 'Backups' };
const criteria = {
  type: 'match-all-conditions',
  conditions: [{ field: 'tags', not: false, operation: 'contains', expectedValue: 'backup' }],
};
const timeRestriction = {
  type: 'time-of-day',
  restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 0 },
};
const rule = {
  ...written,
  isDefault: false,
  order: 0,
  timezone: 'Europe/Rome',
  criteria,
  timeRestriction,
  notify: { type: 'schedule', id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e14', name: 'Database nights' },
};

/** Part 2, 4.2. */
export const ROUTING_RULES = area({
  'create-routing-rule': {
    description: 'Without an order the rule is the last before the default rule. A team has at most 100 rules.',
    path: OF_TEAM,
    query: TeamPartQuery,
    body: {
      schema: CreateRoutingRuleBody,
      example: {
        name: 'Backups',
        order: 0,
        timezone: 'Europe/Rome',
        criteria,
        timeRestriction,
        notify: { type: 'schedule', name: 'Database nights' },
      },
    },
    success: createdAnswer(Named, written),
    refusals: [404],
  },
  'list-routing-rules': {
    description: 'By order: the first rule that matches an alert routes it. The default rule is last.',
    path: OF_TEAM,
    query: TeamPartQuery,
    success: dataAnswer(z.array(RoutingRule), [rule]),
    refusals: [404],
  },
  'get-routing-rule': {
    path: OF_TEAM,
    query: TeamPartQuery,
    success: dataAnswer(RoutingRule, rule),
    refusals: [404],
  },
  'update-routing-rule': {
    description:
      'What the body leaves out stays as it is. The name and the criteria of the default rule are fixed (S11).',
    path: OF_TEAM,
    query: TeamPartQuery,
    body: { schema: UpdateRoutingRuleBody, example: { notify: { type: 'none' } } },
    success: changedAnswer('Updated', Named, written),
    refusals: [404],
  },
  'delete-routing-rule': {
    description: 'The default rule stays (S11).',
    path: OF_TEAM,
    query: TeamPartQuery,
    success: doneAnswer('Deleted'),
    refusals: [404],
  },
  'change-routing-rule-order': {
    description: 'The other rules close up. The default rule stays last (S11).',
    path: OF_TEAM,
    query: TeamPartQuery,
    body: { schema: ChangeRoutingRuleOrderBody, example: { order: 1 } },
    success: changedAnswer('Changed', z.object({ id: Id }), { id }),
    refusals: [404],
  },
});
