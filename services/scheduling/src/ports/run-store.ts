import type {
  AlertCommand,
  AlertEvent,
  BuriedRecord,
  ConsumedBatch,
  Decision,
  Page,
  Settlement,
} from '@tocsin/contracts';
import type { RuleTimer, TurnOfBranch } from '../domain/runs/effects.ts';
import type { Run } from '../domain/runs/run.ts';

/** A rule whose time has come, claimed by this process. */
export interface RuleClaim {
  readonly id: string;
  /** The version of the alert by which its branch was opened. */
  readonly fence: number;
  readonly payload: {
    readonly alertId: string;
    readonly branchId: string;
    readonly ruleIndex: TurnOfBranch;
    /** Absent in the first round. */
    readonly round?: number;
  };
}

/** What a settlement writes about one run. */
export interface RunChange {
  /** When: from the last change of a run whose alert is closed or deleted its retention counts. */
  readonly at: Date;
  readonly run: Run;
  readonly timers: readonly RuleTimer[];
  readonly pages: readonly Page[];
  /** What the owner of the alert is to do. */
  readonly commands: readonly AlertCommand[];
  readonly decisions: readonly Decision[];
}

/** What became of claimed rules. */
export type RulesSettled = Extract<Settlement, { outcome: 'done' | 'refused' }>;

/** Where runs are kept; each settlement is one transaction with its pages, commands, decisions and timers. */
export interface RunStore<C extends RuleClaim> {
  /**
   * Settles events, of each partition in their order; `decide` says what each changes, if anything, of those that may have a
   * run. Several batches are settled together or, where one of them cannot be, refused.
   */
  settleEvents(
    batches: readonly ConsumedBatch<AlertEvent>[],
    decide: (run: Run | undefined, event: AlertEvent) => RunChange | undefined,
  ): Promise<Settlement>;
  /** Moves the checkpoint past a record that fails for ever, and says so in the log of its alert. */
  bury(record: BuriedRecord, decision: Decision | undefined): Promise<Settlement>;
  find(alertIds: readonly string[]): Promise<ReadonlyMap<string, Run>>;
  /**
   * Settles claimed rules and ends the claims, also of those that change nothing, and of no run. `refused` when they fail for
   * ever, and nothing is settled then; trouble of ours is thrown.
   */
  settleRules(claims: readonly C[], decide: (run: Run, claim: C) => RunChange | undefined): Promise<RulesSettled>;
  /** Ends a claim that fails for ever, and says so in the log of its alert. */
  buryRule(claim: C, decision: Decision): Promise<void>;
}
