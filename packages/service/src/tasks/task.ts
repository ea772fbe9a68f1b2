/** Work that a process repeats until it stops. All durations are milliseconds of real time. */
export interface Task {
  /** Unique in the process. The name in the log, in metrics and at `/tasks`. */
  readonly name: string;
  /** The longest pause between the end of a run and the start of the next. */
  readonly everyMs: number;
  /**
   * One run. `signal` aborts at the stop and after `timeoutMs`; the run then has 20 s to end. A run that throws is retried after a
   * back-off of 100 ms to 5 s (1 s where MongoDB, Kafka or another service was unavailable), or after `everyMs` where that is less.
   */
  readonly activate: (signal: AbortSignal) => Promise<void> | Promise<TaskResult>;
  /** Pause before the first run; 0 by default. */
  readonly startAfterMs?: number;
  /** A longer run is aborted and counts as failed; one minute by default. */
  readonly timeoutMs?: number;
  /** Whether a run starts when the service's clock jumps; false by default. */
  readonly runsWhenClockMoves?: boolean;
  /** When the oldest piece of work was or is due, by the service's clock; undefined where none waits. */
  readonly oldestDueAt?: () => Promise<Date | undefined>;
  /** Called at the stop. The task goes on until the promise settles. */
  readonly runsUntil?: () => Promise<unknown>;
}

/** The result of a run, about the next one. */
export interface TaskResult {
  /** The pause before the next run; `everyMs` at most. */
  readonly pauseMs: number;
}

/** The state of one task, as `/tasks` lists it. Instants are ISO 8601, by MongoDB's clock. */
export interface TaskStatus {
  readonly name: string;
  readonly isRunning: boolean;
  /** The start of the running or last run. */
  readonly startedAt?: string | undefined;
  /** How long the last finished run took, in milliseconds. */
  readonly durationMs?: number | undefined;
  readonly succeededAt?: string | undefined;
  /** Failed runs since the last success. */
  readonly failures: number;
  /** The message of the last failure, without secrets, also after a later success. */
  readonly lastError?: string | undefined;
  /** Absent during a run and after the stop. */
  readonly nextRunAt?: string | undefined;
  /** Absent where none waits, or it is not known. */
  readonly oldestDueAt?: string | undefined;
}
