import type { Criteria, Duration, Priority, ResponderType, TimeRestriction } from '@tocsin/contracts';

/**
 * A rule of the account, or of one team, that changes an alert or when its people are told (part 1, 2.8; P5, P14).
 *
 * `/v1/policies` and `/v2/policies` are two views of it.
 */
export interface Policy {
  readonly id: string;
  readonly createdAt: Date;
  /** Need not be unique. */
  readonly name: string;
  /** `policyDescription` of both views. */
  readonly description: string;
  readonly enabled: boolean;
  /** The team whose alerts it is for; the whole account's where undefined. It never changes. */
  readonly teamId: string | undefined;
  /** Its place among the policies of its scope and kind, from 0 without gaps. */
  readonly order: number;
  readonly filter: Criteria;
  /** On the wall clock of the account's zone (S3). */
  readonly timeRestriction: TimeRestriction | undefined;
  readonly effects: PolicyEffects;
}

/** What it changes: the alert, or its notification flow. This is its kind, which never changes. */
export type PolicyEffects = AlertEffects | NotificationEffects;

export type PolicyKind = PolicyEffects['kind'];

/** An alert policy of version 2; type `modify` of version 1. */
export interface AlertEffects {
  readonly kind: 'alert';
  readonly modify: Modification;
}

/** A notification policy of version 2, which may have several effects; each other type of version 1 is one of them. */
export interface NotificationEffects {
  readonly kind: 'notification';
  readonly suppress: boolean;
  readonly delay: Delay | undefined;
  readonly deduplication: Deduplication | undefined;
  readonly autoClose: AutoClose | undefined;
  readonly autoRestart: AutoRestart | undefined;
}

/** What a modify policy makes of an alert. Strings are templates of the alert before it (P4). */
export interface Modification {
  /** Whether the modify policies after it are tried too (P5). */
  readonly continue: boolean;
  readonly message: string;
  readonly alias: string;
  readonly description: string;
  readonly entity: string;
  readonly source: string;
  readonly ignoreOriginalActions: boolean;
  readonly ignoreOriginalDetails: boolean;
  /** Of the responders of the alert: its users, escalations and schedules. */
  readonly ignoreOriginalRecipients: boolean;
  /** Of the responders of the alert: its teams. */
  readonly ignoreOriginalTeams: boolean;
  readonly ignoreOriginalTags: boolean;
  readonly actions: readonly string[];
  /** Pairs, because names may hold dots and dollars. */
  readonly details: readonly (readonly [name: string, value: string])[];
  readonly recipients: readonly PolicyRecipient[];
  readonly tags: readonly string[];
  /** That of the alert stays where undefined. */
  readonly priority: Priority | undefined;
}

/** Whom a modify policy adds; `all` is every user, `none` nobody. */
export type PolicyRecipient = { readonly type: ResponderType; readonly id: string } | { readonly type: 'all' | 'none' };

/** Days on which a delay may end; `next-time` is the next time of day, `next-weekday` the next from Monday to Friday. */
export type DelayDay = Exclude<(typeof DELAY_OPTIONS)[number], 'for-duration'>;

/** `delayOption` of part 1, 2.8. */
export const DELAY_OPTIONS = [
  'for-duration',
  'next-time',
  'next-weekday',
  'next-monday',
  'next-tuesday',
  'next-wednesday',
  'next-thursday',
  'next-friday',
  'next-saturday',
  'next-sunday',
] as const;

/** How long a flow waits before it starts, on the wall clock of the account's zone (P6). */
export type Delay =
  | { readonly option: 'for-duration'; readonly duration: Duration }
  | { readonly option: DelayDay; readonly untilHour: number; readonly untilMinute: number };

/** The flow starts with the `count`-th occurrence; where frequency-based, with the `count`-th within `duration` (P6). */
export type Deduplication =
  | { readonly type: 'value-based'; readonly count: number }
  | { readonly type: 'frequency-based'; readonly count: number; readonly duration: Duration };

/** Counts from the creation of the alert (P7). */
export interface AutoClose {
  readonly duration: Duration;
}

/** The flow starts again each `duration`, `maxRepeatCount` times at most, 0 to 20 (P7, P17). */
export interface AutoRestart {
  readonly duration: Duration;
  readonly maxRepeatCount: number;
}
