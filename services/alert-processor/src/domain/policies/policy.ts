import type {
  AlertEffectsOf,
  Criteria,
  ModificationOf,
  PolicyEffectsOf,
  ResponderType,
  TimeRestriction,
} from '@tocsin/contracts';

export {
  DELAY_OPTIONS,
  type Deduplication,
  type Delay,
  type DelayDay,
  type NotificationEffects,
} from '@tocsin/contracts';

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
  readonly filter: Criteria;
  /** On the wall clock of the account's zone (S3). */
  readonly timeRestriction: TimeRestriction | undefined;
  readonly effects: PolicyEffects;
}

/** What a policy changes: the alert, or its notification flow. That is its kind, which never changes. */
export type PolicyEffects = PolicyEffectsOf<PolicyRecipient>;

export type PolicyKind = PolicyEffects['kind'];

export type AlertEffects = AlertEffectsOf<PolicyRecipient>;

export type Modification = ModificationOf<PolicyRecipient>;

/** Whom a modify policy adds; `all` is every user, `none` nobody. */
export type PolicyRecipient = { readonly type: ResponderType; readonly id: string } | { readonly type: 'all' | 'none' };
