import type { PatternBudget, ConditionSubject } from '@tocsin/rules';
import type { NotificationPolicy } from './compiled-rules.ts';
import { BEATS, PLANNERS, type Effect, type Plans } from './effects.ts';
import type { FlowPlan } from './judgement.ts';
import { whyNot, whyOff, type Moment } from './matching.ts';
import type { PolicyVerdict, Verdicts, WhySkipped } from './verdict.ts';

interface FlowPlannerParts {
  readonly moment: Moment;
  readonly subject: ConditionSubject;
  readonly zone: string;
  readonly suppressedBy: string | undefined;
  readonly verdicts: Verdicts;
}

/** Applies the notification policies of one scope after the other. The first match sets each effect (P5, P6). */
export class FlowPlanner {
  readonly #moment: Moment;
  readonly #subject: ConditionSubject;
  readonly #zone: string;
  readonly #verdicts: Verdicts;
  readonly #plans: Partial<Plans> = {};
  /** Effect -> the policy that set it. */
  readonly #claimed = new Map<Effect, string>();
  /** Effect -> the policy whose effect overrides it. */
  readonly #beaten = new Map<Effect, string>();

  /** `suppressedBy` names the integration that has suppressed the alert already, if it has. */
  constructor({ moment, subject, zone, suppressedBy, verdicts }: FlowPlannerParts) {
    this.#moment = moment;
    this.#subject = subject;
    this.#zone = zone;
    this.#verdicts = verdicts;
    if (suppressedBy !== undefined) this.#claim('suppress', suppressedBy);
  }

  try(policies: readonly NotificationPolicy[], budget: PatternBudget): void {
    for (const one of policies) {
      const why = whyOff(one, this.#moment) ?? this.#needless(one) ?? whyNot(one, this.#moment, this.#subject, budget);
      if (why === undefined) this.#verdicts.apply(this.#plan(one));
      else this.#verdicts.skip(one, why);
    }
  }

  /** The final verdict: a policy whose effects are all overridden by later policies counts as skipped. */
  settled(verdict: PolicyVerdict): PolicyVerdict {
    if (verdict.outcome !== 'matched') return verdict;
    const { policy, label } = verdict;
    const effects = verdict.effects.filter((effect) => !this.#beaten.has(effect));
    if (effects.length > 0) return { policy, label, outcome: 'matched', effects };
    const by = this.#beaten.get(verdict.effects[0] ?? 'suppress') ?? '';
    return { policy, label, outcome: 'skipped', why: { kind: 'taken', by } };
  }

  /** The plan of all policies together. */
  get flow(): FlowPlan {
    const plan = <E extends Effect>(effect: E): Plans[E] | undefined =>
      this.#beaten.has(effect) ? undefined : this.#plans[effect];
    const restart = plan('autoRestart');
    return {
      suppressed: plan('suppress'),
      hold: plan('delay') ?? plan('deduplication'),
      autoClose: plan('autoClose'),
      autoRestart: restart?.times === 0 ? undefined : restart,
    };
  }

  #needless({ effectNames }: NotificationPolicy): WhySkipped | undefined {
    let by: string | undefined;
    for (const effect of effectNames) {
      const owner = this.#beaten.get(effect) ?? this.#claimed.get(effect);
      if (owner === undefined) return undefined;
      by ??= owner;
    }
    return by === undefined ? { kind: 'no-effect' } : { kind: 'taken', by };
  }

  #plan({ policy, label, effects, effectNames }: NotificationPolicy): PolicyVerdict {
    const context = { label, at: this.#moment.at, zone: this.#zone };
    const planned: Effect[] = [];
    for (const effect of effectNames) {
      if (this.#claimed.has(effect) || this.#beaten.has(effect)) continue;
      Object.assign(this.#plans, { [effect]: PLANNERS[effect](effects, context) });
      this.#claim(effect, label);
      planned.push(effect);
    }
    return { policy, label, outcome: 'matched', effects: planned };
  }

  #claim(effect: Effect, by: string): void {
    this.#claimed.set(effect, by);
    for (const other of BEATS[effect] ?? []) if (!this.#beaten.has(other)) this.#beaten.set(other, by);
  }
}
