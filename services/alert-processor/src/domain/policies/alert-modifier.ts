import type { CreateAlert } from '@tocsin/contracts';
import type { PatternBudget } from '@tocsin/rules';
import type { AlertPolicy } from './compiled-rules.ts';
import { subjectOf, templateFieldsOf } from './judged-alert.ts';
import type { JudgementContext } from './judgement.ts';
import { whyNot, whyOff, type Moment } from './matching.ts';
import { modified } from './modify.ts';
import type { Policy } from './policy.ts';
import type { PolicyVerdict, Verdicts } from './verdict.ts';

/** Applies the alert policies of one scope after the other, until one matches that is without `continue` (P5). */
export class AlertModifier {
  readonly #verdicts: Verdicts;
  readonly #moment: Moment;
  readonly #context: JudgementContext;
  #command: CreateAlert;
  #subject: ReturnType<typeof subjectOf> | undefined;
  #stoppedBy: string | undefined;

  constructor(command: CreateAlert, moment: Moment, context: JudgementContext, verdicts: Verdicts) {
    this.#verdicts = verdicts;
    this.#command = command;
    this.#moment = moment;
    this.#context = context;
  }

  /** The create as modified so far. */
  get command(): CreateAlert {
    return this.#command;
  }

  /** The create as modified so far, as conditions see it. */
  get subject(): ReturnType<typeof subjectOf> {
    this.#subject ??= subjectOf(this.#command, this.#context);
    return this.#subject;
  }

  /** Applies `policies` in their order. */
  try(policies: readonly AlertPolicy[], budget: PatternBudget): void {
    for (const one of policies) {
      const why =
        whyOff(one, this.#moment) ??
        (this.#stoppedBy === undefined
          ? whyNot(one, this.#moment, this.subject, budget)
          : ({ kind: 'stopped', by: this.#stoppedBy } as const));
      if (why === undefined) this.#verdicts.apply(this.#modify(one, budget));
      else this.#verdicts.skip(one, why);
    }
  }

  #modify({ policy, label, modify }: AlertPolicy, budget: PatternBudget): PolicyVerdict {
    const before = this.#command;
    const fields = templateFieldsOf(before, this.#context);
    const { command: after, cut } = modified(before, modify, {
      fields,
      context: this.#context,
      mayRename: mayRename(policy, before),
      budget,
    });
    this.#command = after;
    this.#subject = undefined;
    if (!modify.continue) this.#stoppedBy = label;
    return { policy, label, outcome: 'modified', before, after, cut };
  }
}

/**
 * Whether `policy` may change the alias. A heartbeat's alert keeps its alias, because the next ping closes the alert by
 * it (H1). A team's policy may not change an alias in the account's scope, where the create would count on alerts of
 * others (P5, A16).
 */
function mayRename({ teamId }: Policy, { integration, ofHeartbeat }: CreateAlert): boolean {
  return ofHeartbeat !== true && (teamId === undefined || integration.ownerTeamId !== undefined);
}
