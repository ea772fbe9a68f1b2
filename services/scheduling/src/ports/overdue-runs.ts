/** A run with something overdue. */
export interface OverdueRun {
  readonly alertId: string;
  readonly dueAt: Date;
}

/** Finds stuck runs. */
export interface OverdueRuns {
  /** Runs of which something was due at `until` or before, at most `most`, the longest due first. */
  find(until: Date, most: number): Promise<readonly OverdueRun[]>;
  /** How many runs of open alerts there are, counted up to 1 000 000. */
  countOpen(): Promise<number>;
}
