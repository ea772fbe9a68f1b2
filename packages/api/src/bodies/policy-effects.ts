import type { Priority } from '@tocsin/events';
import type { Duration } from './durations.ts';

/**
 * The effect of a policy on the alert, or on its notification flow (part 1, 2.8). `Recipient` is the form of the added recipients: as a
 * caller wrote it, or resolved.
 */
export type PolicyEffectsOf<Recipient> = AlertEffectsOf<Recipient> | NotificationEffects;

/** An alert policy of version 2; type `modify` of version 1. */
export interface AlertEffectsOf<Recipient> {
  readonly kind: 'alert';
  readonly modify: ModificationOf<Recipient>;
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

/** The new fields of an alert by a modify policy. Strings are templates of the alert before it (P4). */
export interface ModificationOf<Recipient> {
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
  readonly recipients: readonly Recipient[];
  readonly tags: readonly string[];
  /** Where undefined, that of the alert stays. */
  readonly priority: Priority | undefined;
}

/** Effects as the body that replaces a policy has them. */
export type WrittenEffectsOf<Recipient> = WrittenAlertEffectsOf<Recipient> | NotificationEffects;

export interface WrittenAlertEffectsOf<Recipient> extends AlertEffectsOf<Recipient> {
  /** The value of a field under its second name, where it differs from that under the first. */
  readonly again?: Again;
}

/** The fields that have two names in one version. */
export type Again = Partial<Pick<ModificationOf<unknown>, 'description' | 'actions'>>;

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

/** Days on which a delay may end; `next-time` is the next time of day, `next-weekday` the next from Monday to Friday. */
export type DelayDay = Exclude<(typeof DELAY_OPTIONS)[number], 'for-duration'>;

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
