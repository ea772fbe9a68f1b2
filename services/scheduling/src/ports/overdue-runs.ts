import type { RuleTimer } from '../domain/runs/rule-timer.ts';

/** A run with something overdue. */
export interface OverdueRun {
  readonly alertId: string;
  readonly dueAt: Date;
}

/** Finds stuck runs. */
export interface OverdueRuns {
  /** Runs of which something was due at `until` or before, at most `most`, the longest due first. */
  find(until: Date, most: number): Promise<readonly OverdueRun[]>;
  /** All timers that the runs have to have, whether these exist or not. */
  expectedTimers(alertIds: readonly string[]): Promise<readonly RuleTimer[]>;
  /** How many runs of open alerts there are, counted up to 1 000 000. */
  countOpen(): Promise<number>;
}
