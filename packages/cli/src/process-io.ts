/** Where a command writes to. */
interface Output {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** Where a command reads from. */
export interface Input extends AsyncIterable<Buffer | string> {
  readonly isTTY?: boolean | undefined;
  setRawMode?(isRaw: boolean): unknown;
  pause?(): unknown;
}

/** The input and output of a command besides its arguments: streams, environment, clock. */
export interface ProcessIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /** The home directory. */
  readonly home: string;
  /** The zone of the machine. */
  readonly zone: string;
  readonly version: string;
  now(): Date;
  /** Aborts when the person presses Ctrl-C. */
  readonly interrupted: AbortSignal;
}
