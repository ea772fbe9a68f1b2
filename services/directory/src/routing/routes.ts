import {
  ChangeRoutingRuleOrderBody,
  CreateRoutingRuleBody,
  ImportRoutingRulesBody,
  TeamPartQuery,
  UpdateRoutingRuleBody,
} from '@tocsin/api';
import { defineRoute, importedAs, importRoute, type Route } from '@tocsin/http';
import { teamOf } from '../references/reference.ts';
import type { NamedRoutingRule, RoutingRules } from './operations.ts';

/** `/v2/teams/{teamIdentifier}/routing-rules` (part 2, 4.2). */
export function routingRuleRoutes(rules: RoutingRules): readonly Route[] {
  return [
    ...readRoutes(rules),
    ...writeRoutes(rules),
    importRoute({
      operation: 'import-routing-rules',
      body: ImportRoutingRulesBody,
      put: async (id, body, principal) => importedAs(await rules.put(id, body, principal)),
    }),
  ];
}

function readRoutes(rules: RoutingRules): readonly Route[] {
  return [
    defineRoute({
      operation: 'list-routing-rules',
      query: TeamPartQuery,
      handle: async ({ params, query, principal }) => {
        const listed = await rules.list(teamOf(params, query), principal);
        return { body: { data: listed.values().map(routingRuleView) } };
      },
    }),
    defineRoute({
      operation: 'get-routing-rule',
      query: TeamPartQuery,
      handle: async ({ params, query, principal }) => {
        const rule = await rules.get(teamOf(params, query), params['id'] ?? '', principal);
        return { body: { data: routingRuleView(rule) } };
      },
    }),
  ];
}

function writeRoutes(rules: RoutingRules): readonly Route[] {
  return [
    defineRoute({
      operation: 'create-routing-rule',
      query: TeamPartQuery,
      body: CreateRoutingRuleBody,
      handle: async ({ params, query, body, principal }) => {
        const { id, name } = await rules.create(teamOf(params, query), body, principal);
        return { status: 201, body: { result: 'Created', data: { id, name } } };
      },
    }),
    defineRoute({
      operation: 'update-routing-rule',
      query: TeamPartQuery,
      body: UpdateRoutingRuleBody,
      handle: async ({ params, query, body, principal }) => {
        const team = teamOf(params, query);
        const { id, name } = await rules.update(team, params['id'] ?? '', body, principal);
        return { body: { result: 'Updated', data: { id, name } } };
      },
    }),
    defineRoute({
      operation: 'delete-routing-rule',
      query: TeamPartQuery,
      handle: async ({ params, query, principal }) => {
        await rules.remove(teamOf(params, query), params['id'] ?? '', principal);
        return { body: { result: 'Deleted' } };
      },
    }),
    defineRoute({
      operation: 'change-routing-rule-order',
      query: TeamPartQuery,
      body: ChangeRoutingRuleOrderBody,
      handle: async ({ params, query, body, principal }) => {
        const team = teamOf(params, query);
        const { id } = await rules.move(team, params['id'] ?? '', body.order, principal);
        return { body: { result: 'Changed', data: { id } } };
      },
    }),
  ];
}

/** A PATCH with these values would change nothing (E10). */
function routingRuleView({ rule, targetName }: NamedRoutingRule) {
  const { id, name, isDefault, order, timezone, criteria, timeRestriction, notify } = rule;
  return {
    id,
    name,
    isDefault,
    order,
    timezone,
    criteria: criteria.written,
    ...(timeRestriction && { timeRestriction }),
    notify: { ...notify, ...(targetName !== undefined && { name: targetName }) },
  };
}
