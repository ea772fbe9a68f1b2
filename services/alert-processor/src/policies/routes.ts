import type { z } from 'zod';
import {
  createdPolicy,
  CreatePolicyBody,
  CreatePolicyV2Body,
  type ImportPolicyBody,
  ImportPolicyV1Body,
  ImportPolicyV2Body,
  MovePolicyBody,
  type PolicyBody,
  type PolicyReplacement,
  PolicyScopeQuery,
  serviceFindings,
  UpdatePolicyBody,
  UpdatePolicyV2Body,
  type WrittenPolicy,
} from '@tocsin/api';
import { flatMapInSteps, InvalidError } from '@tocsin/core';
import { defineInternalRoute, defineRoute, importRoute, type InternalRoute, type Route } from '@tocsin/http';
import type { Policies, PolicyReference } from './operations.ts';
import type { Policy, PolicyEffects } from './policy.ts';
import { policyFinding } from './readiness.ts';
import { inGroups, isInVersionOne, replacedByVersionOne, replacedByVersionTwo, shareGroup } from './versions.ts';
import {
  type NameOf,
  policyV1Created,
  policyV1Item,
  policyV1View,
  policyV2Created,
  policyV2Item,
  policyV2View,
} from './views.ts';

/**
 * `/v1/policies` and `/v2/policies`: two versions of the API for the same policies (part 1, 4.5; wire facts 5; P14).
 */
export function policyRoutes(policies: Policies, nameOf: NameOf): readonly Route[] {
  return [
    ...listRoutes(policies),
    ...createRoutes(policies),
    ...getRoutes(policies, nameOf),
    ...[VERSION_ONE, VERSION_TWO].flatMap((version) => [
      replaceRoute(policies, version),
      moveRoute(policies, version),
      ...plainWrites(policies, version),
      importPolicyRoute(policies, version),
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

const createRoutes = (policies: Policies): readonly Route[] => [
  defineRoute({
    operation: 'create-policy',
    query: PolicyScopeQuery,
    body: VERSION_ONE.createBody,
    handle: async ({ body, principal }) => {
      const created = await policies.create(body, undefined, principal);
      return { status: 201, body: { result: 'Created', data: policyV1Created(created) } };
    },
  }),
  defineRoute({
    operation: 'create-policy-v2',
    query: PolicyScopeQuery,
    body: VERSION_TWO.createBody,
    handle: async ({ query, body, principal }) => {
      const created = await policies.create(body, VERSION_TWO.scopeOf(query), principal);
      return { status: 201, body: { result: 'Created', data: policyV2Created(created) } };
    },
  }),
];

const getRoutes = (policies: Policies, nameOf: NameOf): readonly Route[] => [
  defineRoute({
    operation: 'get-policy',
    query: PolicyScopeQuery,
    handle: async (input) => {
      const policy = await policies.get(referenceOf(VERSION_ONE, input), input.principal);
      return { body: { data: policyV1View(policy, nameOf) } };
    },
  }),
  defineRoute({
    operation: 'get-policy-v2',
    query: PolicyScopeQuery,
    handle: async (input) => {
      const policy = await policies.get(referenceOf(VERSION_TWO, input), input.principal);
      return { body: { data: policyV2View(policy) } };
    },
  }),
];

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

const importPolicyRoute = (policies: Policies, version: PolicyVersion): Route =>
  importRoute({
    operation: version.importOperation,
    body: version.importBody,
    put: (id, { order, teamId, ...body }, principal) => {
      const read = (present: Policy | undefined) =>
        present === undefined ? createdPolicy(body) : replacement(version, present, body);
      const { arePeers, isMoved } = version;
      return policies.put(id, { teamId, order, arePeers, isMoved, read }, principal);
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

/** One version of the API for policies. */
interface PolicyVersion {
  /** The suffix of its operation ids. */
  readonly suffix: '' | '-v2';
  readonly createBody: z.ZodType<PolicyBody>;
  readonly updateBody: z.ZodType<WrittenPolicy>;
  /** The team whose policies a request is about; undefined means the account. */
  readonly scopeOf: (query: PolicyScopeQuery) => string | undefined;
  /** Whether a request that names the policy by its id, and perhaps by `teamId`, finds it. */
  readonly shows: (policy: Policy, teamId: string | undefined) => boolean;
  /** Whether the places of both count together. */
  readonly arePeers: (one: Policy, other: Policy) => boolean;
  readonly importOperation: 'import-policy' | 'import-policy-v1';
  readonly importBody: z.ZodType<ImportPolicyBody>;
  /** Whether an import moves a policy that exists. */
  readonly isMoved: boolean;
  /** The effects after a PUT of `written`; undefined if it is of another type. */
  readonly replaced: (
    present: PolicyEffects,
    written: WrittenPolicy['effects'],
  ) => PolicyReplacement['effects'] | undefined;
}

/** Part 1, 4.5: the account's policies that have a type in version 1. */
const VERSION_ONE: PolicyVersion = {
  suffix: '',
  createBody: CreatePolicyBody,
  updateBody: UpdatePolicyBody,
  scopeOf: () => undefined,
  shows: isInVersionOne,
  arePeers: shareGroup,
  importOperation: 'import-policy-v1',
  importBody: ImportPolicyV1Body,
  isMoved: false,
  replaced: replacedByVersionOne,
};

/** Wire facts 5: all policies. Some clients name the team of a policy, others its id alone. */
const VERSION_TWO: PolicyVersion = {
  suffix: '-v2',
  createBody: CreatePolicyV2Body,
  updateBody: UpdatePolicyV2Body,
  scopeOf: ({ teamId }) => teamId,
  shows: (policy, teamId) => teamId === undefined || policy.teamId === teamId,
  arePeers: () => true,
  importOperation: 'import-policy',
  importBody: ImportPolicyV2Body,
  isMoved: true,
  replaced: replacedByVersionTwo,
};

/** What policies make go wrong, for scheduling, which lists it for callers (S17). */
export const policyReadinessRoute = (policies: Pick<Policies, 'all'>): InternalRoute =>
  defineInternalRoute({
    method: 'GET',
    path: '/internal/readiness',
    handle: async () => {
      const findings = await flatMapInSteps(await policies.all(), (policy) => {
        const finding = policyFinding(policy);
        return finding === undefined ? [] : [finding];
      });
      return { body: serviceFindings(findings) };
    },
  });
