import type {
  AlertCommand,
  AlertEvent,
  BuriedRecord,
  ConsumedBatch,
  Decision,
  Page,
  Settlement,
} from '@tocsin/contracts';
import type { RuleTimer, TimerKind } from '../domain/runs/rule-timer.ts';
import type { Run } from '../domain/runs/run.ts';

/** A due timer of a branch, claimed by this process. */
export interface RuleClaim {
  readonly id: string;
  /** The alert version that opened its branch. */
  readonly fence: number;
  readonly payload: {
    readonly alertId: string;
    readonly branchId: string;
    readonly ruleIndex: TimerKind;
    /** Absent in the first round. */
    readonly round?: number;
  };
}

/** What a settlement writes about one run. */
export interface RunChange {
  /** When it is written: the retention of a closed or deleted alert's run counts from its last change. */
  readonly at: Date;
  /** Absent where nothing is kept: a new owner is told of an alert that has no run. */
  readonly run: Run | undefined;
  readonly timers: readonly RuleTimer[];
  readonly pages: readonly Page[];
  /** Commands for the owner of the alert. */
  readonly commands: readonly AlertCommand[];
  readonly decisions: readonly Decision[];
}

/** The outcome of claimed timers. */
export type RulesSettled = Extract<Settlement, { outcome: 'done' | 'refused' }>;

/** Where runs are kept; each settlement is one transaction with its pages, commands, decisions and timers. */
export interface RunStore<C extends RuleClaim> {
  /**
   * Settles events, those of each partition in order; `decide` returns the changes of those that may page somebody. Several
   * batches are settled in one transaction, or refused together when one of them cannot be.
   */
  settleEvents(
    batches: readonly ConsumedBatch<AlertEvent>[],
    decide: (run: Run | undefined, event: AlertEvent) => RunChange | undefined,
  ): Promise<Settlement>;
  /** Moves the checkpoint past a record that fails for ever, and logs that with its alert. */
  bury(record: BuriedRecord, decision: Decision | undefined): Promise<Settlement>;
  find(alertIds: readonly string[]): Promise<ReadonlyMap<string, Run>>;
  /**
   * Settles claimed timers and ends all claims, even those that change nothing or have no run. `refused`, with nothing settled,
   * when they fail for ever; throws what may pass.
   */
  settleRules(claims: readonly C[], decide: (run: Run, claim: C) => RunChange | undefined): Promise<RulesSettled>;
  /** Ends a claim that fails for ever, takes it out of its run, where there is one, and logs that with its alert. */
  buryRule(claim: C, decision: Decision, leaveOut: (run: Run) => Run): Promise<void>;
  /**
   * Removes some of the runs of closed and deleted alerts, changed last at `until` or before, the oldest first. Resolves to how
   * many; 0 when none is left. A run that changes meanwhile stays.
   */
  removeEnded(until: Date): Promise<number>;
}
