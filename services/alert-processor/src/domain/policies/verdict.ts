import type { CreateAlert } from '@tocsin/contracts';
import type { ConditionSubject, Explained } from '@tocsin/rules';
import type { Maintenance } from '../maintenance.ts';
import type { CompiledPolicy } from './compiled-rules.ts';
import type { Effect } from './effects.ts';
import type { FlowPlan } from './judgement.ts';
import type { Policy } from './policy.ts';

/** How one policy was judged. */
export type PolicyVerdict = {
  readonly policy: Policy;
  /** Its label in the log. */
  readonly label: string;
} & (
  | {
      readonly outcome: 'modified';
      readonly before: CreateAlert;
      readonly after: CreateAlert;
      /** The parts that did not fit, in words (E8). */
      readonly cut: readonly string[];
    }
  /** It matched, and was the first to set these effects. */
  | { readonly outcome: 'matched'; readonly effects: readonly Effect[] }
  | { readonly outcome: 'skipped'; readonly why: WhySkipped }
);

/** Why a policy does not apply. */
export type WhySkipped =
  | { readonly kind: 'disabled' }
  | { readonly kind: 'maintenance'; readonly maintenance: Maintenance }
  | { readonly kind: 'time-restriction' }
  | { readonly kind: 'conditions'; readonly explained: Explained; readonly subject: ConditionSubject }
  /** An alert policy before it matched and is without `continue`; `by` is its label. */
  | { readonly kind: 'stopped'; readonly by: string }
  /** Each of its effects was set by another policy, or overridden; `by` is the first of those. */
  | { readonly kind: 'taken'; readonly by: string }
  | { readonly kind: 'no-effect' };

/** How many verdicts were left out. */
export interface Omitted {
  readonly applied: number;
  readonly skipped: number;
}

/** A judged create, and the verdicts on the policies of its scopes, in the order in which they were asked. */
export interface FullJudgement {
  readonly command: CreateAlert;
  readonly flow: FlowPlan;
  readonly verdicts: readonly PolicyVerdict[];
  readonly omitted: Omitted;
}

/**
 * Collects verdicts in the order in which policies are asked: the first `most` that changed the alert, the first `most`
 * that do not apply, and all of the few that decide about its flow. The bound keeps a batch of creates from holding
 * thousands for each.
 */
export class Verdicts {
  readonly kept: PolicyVerdict[] = [];
  readonly #most: number;
  #modified = 0;
  #skipped = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get omitted(): Omitted {
    return { applied: Math.max(0, this.#modified - this.#most), skipped: Math.max(0, this.#skipped - this.#most) };
  }

  apply(verdict: PolicyVerdict): void {
    if (verdict.outcome === 'modified') this.#modified += 1;
    if (verdict.outcome === 'matched' || this.#modified <= this.#most) this.kept.push(verdict);
  }

  skip({ policy, label }: CompiledPolicy, why: WhySkipped): void {
    this.#skipped += 1;
    if (this.#skipped <= this.#most) this.kept.push({ policy, label, outcome: 'skipped', why });
  }
}
