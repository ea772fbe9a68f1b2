/** The exit codes, so that scripts can distinguish outcomes; documented in `tocsin --help` and the README. */
export const EXIT = {
  done: 0,
  /** Refused by the API, or accepted and then failed. */
  failed: 1,
  /** The command line, the environment or the profile file is wrong; nothing was asked. */
  usage: 2,
  /** Of commands that compare or check: the answer is not known. */
  cannotSay: 2,
  /** No connection, no answer in time, too many requests, or a part of the installation is unavailable. */
  unavailable: 3,
  /** No key, an unknown one, or one without the right. */
  denied: 4,
  missing: 5,
  /** Accepted, and not settled in the time there was. */
  unsettled: 6,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command: `message` and `details`, a line each, are for the person, `exitCode` for the script. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  readonly details: readonly string[];

  constructor(exitCode: ExitCode, message: string, details: readonly string[] = [], options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
    this.details = details;
  }
}

/** The person pressed Ctrl-C; `details` say what goes on all the same. */
export const interruption = (...details: readonly string[]): CliError =>
  new CliError(EXIT.interrupted, 'Interrupted.', details);
