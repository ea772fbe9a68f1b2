/** Messages that are due for one person by one method, and of which nothing is under way. */
export interface StuckTurn {
  /** `<method>:<user>`. */
  readonly turn: string;
  readonly messages: number;
  /** The longest due of them. */
  readonly dueAt: Date;
}

/** How many messages came to which end. */
export interface DeliveryCounts {
  /** Something more will happen to them. */
  readonly waiting: number;
  readonly sent: number;
  readonly delivered: number;
  readonly failed: number;
  readonly dropped: number;
}

/** Finds messages that should have been handed over, and counts what became of others. */
export interface Undelivered {
  /**
   * Turns with messages that were due at `until` or before, which nobody holds, and for which nobody will come: their row is not
   * there or waits for later; or nobody came for as long. At most 5 000 turns; messages are counted up to 5 000.
   */
  find(until: Date, now: Date): Promise<readonly StuckTurn[]>;
  /** Lets the people wait for their turn again. */
  redrive(turns: readonly string[], now: Date): Promise<void>;
  /** Counts messages that wait, and those that ended at `since` or later, up to 200 000 of each. */
  counts(since: Date): Promise<DeliveryCounts>;
}
