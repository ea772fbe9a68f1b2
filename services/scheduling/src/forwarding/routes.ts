import { type AnswerOf, CreateForwardingRuleBody, ForwardingRuleQuery, UpdateForwardingRuleBody } from '@tocsin/api';
import { defineRoute, importedAs, importRoute, type Route } from '@tocsin/http';
import type { ForwardingRuleIdentifier, ForwardingRules } from './operations.ts';
import type { Snapshots } from '../configuration/snapshot-operations.ts';
import type { ForwardingRule } from './forwarding.ts';
import { formatInstant } from '@tocsin/events';
import type { Mention } from '../configuration/mentions.ts';
import type { Snapshot } from '../configuration/snapshot.ts';

const idAndAlias = ({ id, alias = '' }: ForwardingRule) => ({ alias, id });

const identifierOf = (
  params: Readonly<Record<string, string | undefined>>,
  type: ForwardingRuleQuery,
): ForwardingRuleIdentifier => ({ type, value: params['identifier'] ?? '' });

/** Part 2, 4.7, and the rules of one user (part 3, 4.1). */
export function forwardingRoutes(rules: ForwardingRules, snapshots: Snapshots): readonly Route[] {
  return [
    defineRoute({
      operation: 'create-forwarding-rule',
      body: CreateForwardingRuleBody,
      handle: async ({ body, principal }) => ({
        status: 201,
        body: { result: 'Created', data: idAndAlias(await rules.create(body, principal)) },
      }),
    }),
    defineRoute({
      operation: 'list-forwarding-rules',
      handle: async () => listAnswer(await rules.list(), snapshots),
    }),
    defineRoute({
      operation: 'list-user-forwarding-rules',
      handle: async ({ params }) => listAnswer(await rules.ofUser(params['identifier'] ?? ''), snapshots),
    }),
    defineRoute({
      operation: 'get-forwarding-rule',
      query: ForwardingRuleQuery,
      handle: async ({ params, query }) => {
        const rule = await rules.get(identifierOf(params, query));
        return { body: { data: forwardingRuleView(rule, await snapshots.withNamesOf(forwardingUsers([rule]))) } };
      },
    }),
    defineRoute({
      operation: 'update-forwarding-rule',
      query: ForwardingRuleQuery,
      body: UpdateForwardingRuleBody,
      handle: async ({ params, query, body, principal }) => {
        const updated = await rules.replace(identifierOf(params, query), body, principal);
        return { body: { result: 'Updated', data: idAndAlias(updated) } };
      },
    }),
    defineRoute({
      operation: 'delete-forwarding-rule',
      query: ForwardingRuleQuery,
      handle: async ({ params, query, principal }) => {
        await rules.delete(identifierOf(params, query), principal);
        return { body: { result: 'Deleted' } };
      },
    }),
    importRoute({
      operation: 'import-forwarding-rule',
      body: CreateForwardingRuleBody,
      put: async (id, body, caller) => importedAs(await rules.put(id, body, caller)),
    }),
  ];
}

async function listAnswer(rules: readonly ForwardingRule[], snapshots: Snapshots) {
  const snapshot = await snapshots.withNamesOf(forwardingUsers(rules));
  return { body: { data: rules.values().map((rule) => forwardingRuleView(rule, snapshot)) } };
}

/** A forwarding rule as GET and the lists show it (part 2, 2.10). */
function forwardingRuleView(rule: ForwardingRule, snapshot: Snapshot): AnswerOf<'get-forwarding-rule'>['data'] {
  const { id, alias = '', fromUserId, toUserId, startAt, endAt } = rule;
  return {
    id,
    alias,
    fromUser: userView(fromUserId, snapshot),
    toUser: userView(toUserId, snapshot),
    startDate: formatInstant(startAt),
    endDate: formatInstant(endAt),
  };
}

/** The users in the views of `rules`. */
const forwardingUsers = (rules: readonly ForwardingRule[]): readonly Mention[] =>
  rules.flatMap(({ fromUserId, toUserId }) => [fromUserId, toUserId]).map((id) => ({ type: 'user', id }));

/** Id and user name (E10); the name of a deleted user is left out. */
function userView(id: string, snapshot: Snapshot) {
  const user = snapshot.user(id);
  return { id, ...(user && { username: user.username }) };
}
