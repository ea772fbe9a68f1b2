import type { CreateAlert } from '@tocsin/contracts';
import type { ConditionSubject, Explained } from '@tocsin/rules';
import type { Maintenance } from '../maintenance.ts';
import type { Effect } from './effects.ts';
import type { Policy } from './policy.ts';

/** What judging says of one policy. */
export type PolicyVerdict = {
  readonly policy: Policy;
  /** How the log calls it. */
  readonly label: string;
} & (
  | {
      readonly outcome: 'modified';
      readonly before: CreateAlert;
      readonly after: CreateAlert;
      /** What of it did not fit (E8). */
      readonly cut: readonly string[];
    }
  /** It matched, and these of its effects are the first of their type. */
  | { readonly outcome: 'matched'; readonly effects: readonly Effect[] }
  | { readonly outcome: 'skipped'; readonly why: WhySkipped }
);

/** Why a policy does not apply. */
export type WhySkipped =
  | { readonly kind: 'disabled' }
  | { readonly kind: 'maintenance'; readonly maintenance: Maintenance }
  | { readonly kind: 'time-restriction' }
  | { readonly kind: 'conditions'; readonly explained: Explained; readonly subject: ConditionSubject }
  /** An alert policy before it, which matched, does not go on; `by` is how the log calls it. */
  | { readonly kind: 'stopped'; readonly by: string }
  /** Each of its effects has come from elsewhere, or is beaten by another one. */
  | { readonly kind: 'taken'; readonly by: string }
  | { readonly kind: 'no-effect' };
