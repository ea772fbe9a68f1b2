import type { KindName } from '../kinds.ts';

export const FINDING_KINDS = [
  'routing-without-recipient',
  'user-without-contact',
  'user-without-rule',
  'schedule-gap',
  'policy-suppresses-all',
  'rule-never-matches',
  'policy-disabled',
  'integration-disabled',
  'heartbeat-disabled',
] as const;
type FindingKind = (typeof FINDING_KINDS)[number];

/** Something of the account that does not do what it seems to do. */
export interface Finding {
  readonly kind: FindingKind;
  /** `error`: an alert pages no user. */
  readonly severity: 'error' | 'warning';
  readonly entity: { readonly kind: KindName; readonly id: string; readonly name: string };
  /** The reason, as a sentence. */
  readonly message: string;
  /** What to do, as a sentence. */
  readonly remedy: string;
  /** The times without a user on call, each half-open. */
  readonly periods?: readonly { readonly startDate: string; readonly endDate: string }[];
}

/** Something that the snapshot does not show, and why. */
export interface NotKnown {
  readonly what: string;
  readonly why: string;
}
