import type { CompiledPolicy } from './compiled-rules.ts';
import type { PolicyVerdict, WhySkipped } from './verdict.ts';

/** How many verdicts are not kept. */
export interface Left {
  readonly applied: number;
  readonly skipped: number;
}

/**
 * Gathers verdicts in the order in which policies are asked: the first of those that changed the alert, the first of those that
 * do not apply, and all of the few that say what becomes of its flow. A batch of creates must not hold thousands for each.
 */
export class Verdicts {
  readonly kept: PolicyVerdict[] = [];
  readonly #most: number;
  #modified = 0;
  #skipped = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get left(): Left {
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
