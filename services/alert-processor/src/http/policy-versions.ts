import type { z } from 'zod';
import {
  CreatePolicyBody,
  CreatePolicyV2Body,
  UpdatePolicyBody,
  UpdatePolicyV2Body,
  type PolicyBody,
  type PolicyReplacement,
  type PolicyScopeQuery,
  type WrittenPolicy,
} from '@tocsin/contracts';
import type { Policy, PolicyEffects } from '../domain/policies/policy.ts';
import { isInVersionOne, replacedByVersionOne, shareGroup } from '../domain/policies/version-one.ts';
import { replacedByVersionTwo } from '../domain/policies/version-two.ts';
import { policyV1Created, policyV1View, policyV2Created, policyV2View, type NameOf } from './policy-views.ts';

/** One version of the API for policies. */
export interface PolicyVersion {
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
  /** The effects after a PUT of `written`; undefined if it is of another type. */
  readonly replaced: (
    present: PolicyEffects,
    written: WrittenPolicy['effects'],
  ) => PolicyReplacement['effects'] | undefined;
  readonly view: (policy: Policy, nameOf: NameOf) => Record<string, unknown>;
  readonly created: (policy: Policy) => Record<string, unknown>;
}

/** Part 1, 4.5: the account's policies that have a type in version 1. */
export const VERSION_ONE: PolicyVersion = {
  suffix: '',
  createBody: CreatePolicyBody,
  updateBody: UpdatePolicyBody,
  scopeOf: () => undefined,
  shows: isInVersionOne,
  arePeers: shareGroup,
  replaced: replacedByVersionOne,
  view: policyV1View,
  created: policyV1Created,
};

/** Wire facts 5: all policies. Some clients name the team of a policy, others its id alone. */
export const VERSION_TWO: PolicyVersion = {
  suffix: '-v2',
  createBody: CreatePolicyV2Body,
  updateBody: UpdatePolicyV2Body,
  scopeOf: ({ teamId }) => teamId,
  shows: (policy, teamId) => teamId === undefined || policy.teamId === teamId,
  arePeers: () => true,
  replaced: replacedByVersionTwo,
  view: policyV2View,
  created: policyV2Created,
};
