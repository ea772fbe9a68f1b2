/** Where the parts of a system that runs are, for the person at the terminal. */
export interface SystemFacts {
  /** Holds the key. */
  readonly secretsFile: string;
  /** Undefined where mails go to a server of theirs. */
  readonly mailboxUrl: string | undefined;
  /** Where mail for Email integrations is taken; undefined where none is. */
  readonly mailPort: number | undefined;
  /** Where data and logs are, and what empties them. */
  readonly data: string;
  /** The pages that show metrics; undefined where there are none. */
  readonly monitoring?: { readonly grafanaUrl: string; readonly prometheusUrl: string };
}

/** A Tocsin that this process starts and stops. */
export interface RunningSystem {
  readonly apiKey: string;
  readonly facts: SystemFacts;
  /**
   * Resolves when every service is ready and the demo, if wanted, is there.
   *
   * @throws TroubleError for whatever the person at the terminal can mend.
   */
  start(): Promise<void>;
  /** Stops what was started, in the reverse order. Called again, it waits for the same end. */
  stop(): Promise<void>;
}
