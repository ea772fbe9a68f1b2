import {
  type AlertEffectsOf,
  type Criteria,
  type ModificationOf,
  policiesTakeTooLong,
  type PolicyEffectsOf,
} from '@tocsin/api';
import type { ResponderType, TimeRestriction } from '@tocsin/events';
import { bytesOf, MAX_BYTES_OF_TEAM } from '@tocsin/rules';

export { DELAY_OPTIONS, type Deduplication, type Delay, type DelayDay, type NotificationEffects } from '@tocsin/api';

/**
 * A rule of the account, or of one team, that changes an alert or its notification flow (part 1, 2.8; P5, P14).
 * `/v1/policies` and `/v2/policies` are two views of it.
 */
export interface Policy {
  readonly id: string;
  readonly createdAt: Date;
  /** Need not be unique. */
  readonly name: string;
  /** `policyDescription` in both versions. */
  readonly description: string;
  readonly enabled: boolean;
  /** The team whose alerts it applies to; undefined means the account. It never changes. */
  readonly teamId: string | undefined;
  /** Its place among the policies of its scope and kind, from 0 without gaps. */
  readonly order: number;
  /** Its place in the account from which it was imported, from 0 and perhaps with gaps. */
  readonly importOrder?: number;
  readonly filter: Criteria;
  /** On the wall clock of the account's zone (S3). */
  readonly timeRestriction: TimeRestriction | undefined;
  readonly effects: PolicyEffects;
}

/** The kind of a policy, by its target: the alert, or its notification flow. It never changes. */
export type PolicyEffects = PolicyEffectsOf<PolicyRecipient>;

export type PolicyKind = PolicyEffects['kind'];

export type AlertEffects = AlertEffectsOf<PolicyRecipient>;

export type Modification = ModificationOf<PolicyRecipient>;

/** A responder that a modify policy adds; `all` is every user, `none` no user. */
export type PolicyRecipient = { readonly type: ResponderType; readonly id: string } | { readonly type: 'all' | 'none' };

/** The most policies that the account, or one team, may have (wire facts 6.2). */
export const MAX_POLICIES = 1_000;

/** The bound that is exceeded. */
export type Excess = 'policies' | 'bytes' | 'patterns';

/** The bound that all policies of the account, or of a team, exceed together; undefined if they exceed none. */
export function excessOf(policies: readonly Policy[]): Excess | undefined {
  if (policies.length > MAX_POLICIES) return 'policies';
  const bytes = policies.reduce((sum, policy) => sum + bytesOf(policy), 0);
  if (bytes > MAX_BYTES_OF_TEAM) return 'bytes';
  return policiesTakeTooLong(policies) ? 'patterns' : undefined;
}
