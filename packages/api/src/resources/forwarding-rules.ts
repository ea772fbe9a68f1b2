import { blankIsAbsent, oneOf, optionalReference } from '@tocsin/events';
import { z } from 'zod';
import { Id } from '../answers/shared.ts';
import { endsAfterItStarts, period } from '../bodies/dates.ts';
import { UserByReference } from '../bodies/references.ts';
import { NOT_AN_OBJECT } from '../bodies/refusals.ts';
import { MEDIUM_BODY, resource, type Rules, SMALL_BODY } from '../operation.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';
import { EXAMPLES } from './schedule-examples.ts';
import { ForwardingRule } from './schedules.ts';

const fields = { fromUser: UserByReference, toUser: UserByReference, ...period };

/** Part 2, 4.7: the body that creates a forwarding rule; an empty alias is none (2.10). */
export const CreateForwardingRuleBody = z
  .object({ alias: optionalReference(512), ...fields }, NOT_AN_OBJECT)
  .superRefine(endsAfterItStarts);
export type CreateForwardingRuleBody = z.infer<typeof CreateForwardingRuleBody>;

/** Part 2, 4.7: the body that replaces a forwarding rule; its id and alias stay. */
export const UpdateForwardingRuleBody = z.object(fields, NOT_AN_OBJECT).superRefine(endsAfterItStarts);
export type UpdateForwardingRuleBody = z.infer<typeof UpdateForwardingRuleBody>;

/** How the path names a forwarding rule (part 2, 4.7). */
export const ForwardingRuleQuery = z
  .object({
    identifierType: blankIsAbsent(oneOf(['id', 'alias'])),
  })
  .transform((query) => query.identifierType ?? ('id' as const));
export type ForwardingRuleQuery = z.infer<typeof ForwardingRuleQuery>;

const read = { right: 'read-configuration', domain: 'configuration', owner: 'scheduling' } as const;
const write = { right: 'write-configuration', domain: 'configuration', owner: 'scheduling' } as const;
/** A rule passes on whatever reaches its user, for whichever team: no team key writes it (K8). */
const writeOfUser = { ...write, teamKeys: 'refused', people: 'own' } as const;
const FORWARDING = '/v2/forwarding-rules/{identifier}';

const Written = z.object({ alias: z.string(), id: Id });
const written = { alias: 'ada-is-away', id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e18' };
const { ada, grace, week } = EXAMPLES;
const body = { fromUser: { username: ada.username }, toUser: { username: grace.username }, ...week };
const rule = { ...written, fromUser: ada, toUser: grace, ...week };

const RULES: Rules = {
  S13: [
    'A forwarding rule ends after it starts and leads to another user.',
    'A PUT keeps the place of a rule among those that overlap it.',
    'A rule that leads to an unknown user is skipped when a page is made. Where the user is unknown because directory is unavailable, the user is paged too once directory answers (S9).',
    'A forwarding rule belongs to the user from whom it forwards. It is changed by that user, by owners and admins of the account and by keys of no team, not by admins of a team (K12); a team key reads all of them.',
    'The rules of a user are those that forward from the user; at most 1000, else 422 for `fromUser`.',
  ],
};

/** Part 2, 4.7. */
export const FORWARDING_RULES = resource('Forwarding rules', RULES, {
  'create-forwarding-rule': {
    ...writeOfUser,
    ...MEDIUM_BODY,
    method: 'POST',
    path: '/v2/forwarding-rules',
    summary: 'Passes the duty of one user to another for a while',
    description: 'Of rules of one user that overlap the one created last counts.',
    body: { schema: CreateForwardingRuleBody, example: { alias: written.alias, ...body } },
    success: createdAnswer(Written, written),
    refusals: [404, 409],
  },
  'list-forwarding-rules': {
    ...read,
    method: 'GET',
    path: '/v2/forwarding-rules',
    summary: 'Lists forwarding rules',
    success: dataAnswer(z.array(ForwardingRule), [rule]),
  },
  'get-forwarding-rule': {
    ...read,
    method: 'GET',
    path: FORWARDING,
    summary: 'Reads a forwarding rule',
    query: ForwardingRuleQuery,
    success: dataAnswer(ForwardingRule, rule),
    refusals: [404],
  },
  'update-forwarding-rule': {
    ...writeOfUser,
    ...MEDIUM_BODY,
    method: 'PUT',
    path: FORWARDING,
    summary: 'Replaces a forwarding rule',
    description: 'All of it is replaced but its id and alias.',
    query: ForwardingRuleQuery,
    body: { schema: UpdateForwardingRuleBody, example: body },
    success: changedAnswer('Updated', Written, written),
    refusals: [404],
  },
  'delete-forwarding-rule': {
    ...writeOfUser,
    ...SMALL_BODY,
    method: 'DELETE',
    path: FORWARDING,
    summary: 'Deletes a forwarding rule',
    query: ForwardingRuleQuery,
    success: doneAnswer('Deleted'),
    refusals: [404],
  },
});
