import { z } from 'zod';
import type { TimeRestriction } from '../messages/conditions.ts';
import type { ResponderType } from '../messages/shared.ts';
import { optional } from '../primitives.ts';
import type { Criteria } from './conditions.ts';
import { place } from './places.ts';
import type { PolicyEffectsOf } from './policy-effects.ts';
import type { KindReference } from './references.ts';
import { NOT_AN_OBJECT } from './refusals.ts';

/** Whom a modify policy adds, as a caller names it; `all` is every user, `none` nobody. */
export type PolicyRecipientReference = KindReference<ResponderType, 'all' | 'none'>;

/** What a policy is to be, within every limit and with every default filled in. */
export interface PolicyBody {
  readonly name: string;
  readonly enabled: boolean;
  /** `policyDescription` of both views; empty where none is written. */
  readonly description: string;
  /** Each condition has its `order`. Nothing is `written` where there was no filter. */
  readonly filter: Criteria;
  readonly timeRestriction: TimeRestriction | undefined;
  readonly effects: PolicyEffectsOf<PolicyRecipientReference>;
}

/** What a policy becomes: all of it is replaced, but `enabled` stays as it is where undefined. */
export interface PolicyReplacement extends Omit<PolicyBody, 'enabled'> {
  readonly enabled: boolean | undefined;
}

/** Part 1, 4.5: the place that a policy is moved to, counted from 0; clients leave a zero out (P8). */
export const MovePolicyBody: z.ZodType<{ readonly targetIndex: number }> = z
  .object({ targetIndex: optional(place) }, NOT_AN_OBJECT)
  .transform(({ targetIndex = 0 }) => ({ targetIndex }));
