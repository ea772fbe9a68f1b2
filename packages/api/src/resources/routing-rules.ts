import { blankIsAbsent, optional, optionalReference, text, timeZone } from '@tocsin/events';
import { z } from 'zod';
import { Id, Named } from '../answers/shared.ts';
import { CriteriaBody } from '../bodies/conditions.ts';
import { NewPlaceBody, place } from '../bodies/places.ts';
import { byKind, type KindReference } from '../bodies/references.ts';
import { NOT_AN_OBJECT } from '../bodies/refusals.ts';
import { TimeRestrictionBody } from '../bodies/time-restrictions.ts';
import { LARGE_BODY, resource, type Rules, SMALL_BODY } from '../operation.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';
import { OF_TEAM } from './paths.ts';
import { RoutingRule, TeamPartQuery } from './teams.ts';

/** The most rules of one team, the default rule among them (part 2, 4.2). */
export const MAX_ROUTING_RULES = 100;

/** The target of a routing rule, as callers write it; `none` without both. */
export type RoutingTargetReference = KindReference<'schedule' | 'escalation', 'none'>;

const Notify = byKind(['schedule', 'escalation'], ['none']);

/** The kind of restriction decides what it means to say nothing; `null` and `{}` say nothing (E5, E12). */
const rest = {
  timezone: blankIsAbsent(timeZone),
  criteria: optional(CriteriaBody),
  timeRestriction: TimeRestrictionBody,
};

/** Part 2, 4.2: the body that creates a routing rule. Its name may be empty; without an order it comes last (S15). */
export const CreateRoutingRuleBody = z.object(
  { name: optional(text()), order: optional(place), ...rest, notify: Notify },
  NOT_AN_OBJECT,
);
export type CreateRoutingRuleBody = z.infer<typeof CreateRoutingRuleBody>;

/** Part 2, 4.2: what a PATCH of a routing rule may change; an empty name changes nothing (E12). */
export const UpdateRoutingRuleBody = z.object(
  { name: optionalReference(), ...rest, notify: optional(Notify) },
  NOT_AN_OBJECT,
);
export type UpdateRoutingRuleBody = z.infer<typeof UpdateRoutingRuleBody>;

/** Part 2, 4.2: the place that a rule is moved to, counted from 0; clients leave a zero out (P8). */
export const ChangeRoutingRuleOrderBody = NewPlaceBody;

const read = { right: 'read-configuration', domain: 'configuration', owner: 'directory' } as const;
const write = {
  right: 'write-configuration',
  people: 'team-admin',
  domain: 'configuration',
  owner: 'directory',
} as const;
const ALL = '/v2/teams/{teamIdentifier}/routing-rules';

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

const RULES: Rules = {
  S10: [
    "A routing rule matches where its criteria and its time restriction do. The restriction is evaluated in the rule's own zone for the start of the flow, also where it starts late. `none` pages no user, and the log says so. A rule to a deleted schedule or escalation is skipped. The log names each skipped rule with the reason.",
  ],
};

/** Part 2, 4.2. */
export const ROUTING_RULES = resource('Routing rules', RULES, {
  'create-routing-rule': {
    ...write,
    ...LARGE_BODY,
    method: 'POST',
    path: ALL,
    summary: 'Creates a routing rule',
    description: 'Without an order the rule is the last before the default rule. A team has at most 100 rules.',
    params: OF_TEAM,
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
    ...read,
    method: 'GET',
    path: ALL,
    summary: 'Lists the routing rules of a team',
    description: 'By order: the first rule that matches an alert routes it. The default rule is last.',
    params: OF_TEAM,
    query: TeamPartQuery,
    success: dataAnswer(z.array(RoutingRule), [rule]),
    refusals: [404],
  },
  'get-routing-rule': {
    ...read,
    method: 'GET',
    path: `${ALL}/{id}`,
    summary: 'Reads a routing rule',
    params: OF_TEAM,
    query: TeamPartQuery,
    success: dataAnswer(RoutingRule, rule),
    refusals: [404],
  },
  'update-routing-rule': {
    ...write,
    ...LARGE_BODY,
    method: 'PATCH',
    path: `${ALL}/{id}`,
    summary: 'Changes a routing rule',
    description:
      'What the body leaves out stays as it is. The name and the criteria of the default rule are fixed (S11).',
    params: OF_TEAM,
    query: TeamPartQuery,
    body: { schema: UpdateRoutingRuleBody, example: { notify: { type: 'none' } } },
    success: changedAnswer('Updated', Named, written),
    refusals: [404],
  },
  'delete-routing-rule': {
    ...write,
    ...SMALL_BODY,
    method: 'DELETE',
    path: `${ALL}/{id}`,
    summary: 'Deletes a routing rule',
    description: 'The default rule stays (S11).',
    params: OF_TEAM,
    query: TeamPartQuery,
    success: doneAnswer('Deleted'),
    refusals: [404],
  },
  'change-routing-rule-order': {
    ...write,
    ...SMALL_BODY,
    method: 'POST',
    path: `${ALL}/{id}/change-order`,
    summary: 'Moves a routing rule',
    description: 'The other rules close up. The default rule stays last (S11).',
    params: OF_TEAM,
    query: TeamPartQuery,
    body: { schema: ChangeRoutingRuleOrderBody, example: { order: 1 } },
    success: changedAnswer('Changed', z.object({ id: Id }), { id }),
    refusals: [404],
  },
});
