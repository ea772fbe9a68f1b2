/** Runs that are removed once they are old. */
export interface RetainedRuns {
  /**
   * Removes a lot of the runs of alerts that are closed or deleted, changed last at `until` or before, the oldest first. Answers
   * how many; 0 when none is left. What changes meanwhile stays.
   */
  remove(until: Date): Promise<number>;
}
