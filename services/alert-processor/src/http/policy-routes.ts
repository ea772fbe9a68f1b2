import { MovePolicyBody, PolicyScopeQuery, type PolicyReplacement, type WrittenPolicy } from '@tocsin/contracts';
import { InvalidError } from '@tocsin/errors';
import { defineInternalRoute, defineRoute, type InternalRoute, type Route } from '@tocsin/http';
import type { PolicyReference } from '../application/policy-access.ts';
import type { Policies } from '../application/policies.ts';
import type { Policy } from '../domain/policies/policy.ts';
import { inGroups } from '../domain/policies/version-one.ts';
import { policyV1Item, policyV2Item, type NameOf } from './policy-views.ts';
import { VERSION_ONE, VERSION_TWO, type PolicyVersion } from './policy-versions.ts';

/**
 * `/v1/policies` and `/v2/policies`: two versions of the API for the same policies (part 1, 4.5; wire facts 5; P14).
 */
export function policyRoutes(policies: Policies, nameOf: NameOf): readonly Route[] {
  return [
    ...listRoutes(policies),
    ...[VERSION_ONE, VERSION_TWO].flatMap((version) => [
      createRoute(policies, version),
      getRoute(policies, version, nameOf),
      replaceRoute(policies, version),
      moveRoute(policies, version),
      ...plainWrites(policies, version),
    ]),
  ];
}

function listRoutes(policies: Policies): readonly Route[] {
  const ofKind = (kind: 'alert' | 'notification') =>
    defineRoute({
      operation: `list-${kind}-policies-v2`,
      query: PolicyScopeQuery,
      handle: async ({ query, principal }) => {
        const listed = await policies.list(query.teamId, principal);
        return { body: { data: listed.filter(({ effects }) => effects.kind === kind).map(policyV2Item) } };
      },
    });
  return [
    defineRoute({
      operation: 'list-policies',
      handle: async ({ principal }) => {
        const grouped = inGroups(await policies.list(undefined, principal));
        return { body: { data: grouped.map(({ policy, order }) => policyV1Item(policy, order)) } };
      },
    }),
    ofKind('alert'),
    ofKind('notification'),
  ];
}

const createRoute = (policies: Policies, version: PolicyVersion): Route =>
  defineRoute({
    operation: `create-policy${version.suffix}`,
    query: PolicyScopeQuery,
    body: version.createBody,
    handle: async ({ query, body, principal }) => {
      const created = await policies.create(body, version.scopeOf(query), principal);
      return { status: 201, body: { result: 'Created', data: version.created(created) } };
    },
  });

const getRoute = (policies: Policies, version: PolicyVersion, nameOf: NameOf): Route =>
  defineRoute({
    operation: `get-policy${version.suffix}`,
    query: PolicyScopeQuery,
    handle: async (input) => {
      const policy = await policies.get(referenceOf(version, input), input.principal);
      return { body: { data: version.view(policy, nameOf) } };
    },
  });

const replaceRoute = (policies: Policies, version: PolicyVersion): Route =>
  defineRoute({
    operation: `update-policy${version.suffix}`,
    query: PolicyScopeQuery,
    body: version.updateBody,
    handle: async (input) => {
      const read = (present: Policy) => replacement(version, present, input.body);
      await policies.replace(referenceOf(version, input), read, input.principal);
      return { body: { result: 'Updated' } };
    },
  });

const moveRoute = (policies: Policies, version: PolicyVersion): Route =>
  defineRoute({
    operation: `change-policy-order${version.suffix}`,
    query: PolicyScopeQuery,
    body: MovePolicyBody,
    handle: async (input) => {
      const { targetIndex } = input.body;
      await policies.move(referenceOf(version, input), targetIndex, input.principal, version.arePeers);
      return { body: { result: 'Order Changed' } };
    },
  });

/** The writes that only name a policy. */
const plainWrites = (policies: Policies, version: PolicyVersion): readonly Route[] =>
  (
    [
      ['delete-policy', 'remove', 'Deleted'],
      ['enable-policy', 'enable', 'Enabled'],
      ['disable-policy', 'disable', 'Disabled'],
    ] as const
  ).map(([operation, verb, result]) =>
    defineRoute({
      operation: `${operation}${version.suffix}`,
      query: PolicyScopeQuery,
      handle: async (input) => {
        await policies[verb](referenceOf(version, input), input.principal);
        return { body: { result } };
      },
    }),
  );

interface Named {
  readonly params: Readonly<Record<string, string>>;
  readonly query: PolicyScopeQuery;
}

function referenceOf(version: PolicyVersion, { params, query }: Named): PolicyReference {
  const teamId = version.scopeOf(query);
  return { id: params['identifier'] ?? '', isShown: (policy) => version.shows(policy, teamId) };
}

function replacement(version: PolicyVersion, present: Policy, body: WrittenPolicy): PolicyReplacement {
  const effects = version.replaced(present.effects, body.effects);
  if (effects === undefined) throw InvalidError.ofFields({ type: 'of a policy can not be changed' });
  return { ...body, effects };
}

/** Directory disables the policies of a team that it deletes (P18). */
export const disablePoliciesRoute = (policies: Policies): InternalRoute =>
  defineInternalRoute({
    method: 'DELETE',
    path: '/internal/teams/:teamId/policies',
    handle: async ({ params }) => ({
      body: { data: { disabled: await policies.disableOfTeam(params['teamId'] ?? '') } },
    }),
  });
