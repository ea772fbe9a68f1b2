import { CreateForwardingRuleBody, ForwardingRuleQuery, UpdateForwardingRuleBody } from '@tocsin/contracts';
import { defineRoute, type Route } from '@tocsin/http';
import type { ForwardingRuleIdentifier, ForwardingRules } from '../application/forwarding-rules.ts';
import type { Snapshots } from '../application/loaded-snapshot.ts';
import type { ForwardingRule } from '../domain/forwarding.ts';
import { forwardingRuleView, forwardingUsers } from './override-views.ts';

const written = ({ id, alias = '' }: ForwardingRule) => ({ alias, id });

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
      handle: async ({ body }) => ({
        status: 201,
        body: { result: 'Created', data: written(await rules.create(body)) },
      }),
    }),
    defineRoute({
      operation: 'list-forwarding-rules',
      handle: async () => listed(await rules.list(), snapshots),
    }),
    defineRoute({
      operation: 'list-user-forwarding-rules',
      handle: async ({ params }) => listed(await rules.ofUser(params['identifier'] ?? ''), snapshots),
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
      handle: async ({ params, query, body }) => {
        const updated = await rules.replace(identifierOf(params, query), body);
        return { body: { result: 'Updated', data: written(updated) } };
      },
    }),
    defineRoute({
      operation: 'delete-forwarding-rule',
      query: ForwardingRuleQuery,
      handle: async ({ params, query }) => {
        await rules.delete(identifierOf(params, query));
        return { body: { result: 'Deleted' } };
      },
    }),
  ];
}

async function listed(rules: readonly ForwardingRule[], snapshots: Snapshots) {
  const snapshot = await snapshots.withNamesOf(forwardingUsers(rules));
  return { body: { data: rules.values().map((rule) => forwardingRuleView(rule, snapshot)) } };
}
