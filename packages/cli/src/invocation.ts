import { ApiClient } from './api-client.ts';
import { connectionOf } from './connection.ts';
import { paintFor, type Paint } from './output/colours.ts';
import { Moments } from './output/moments.ts';
import { jsonText, plain } from './output/text.ts';
import { type Profile, profileFile, Profiles } from './profiles.ts';
import type { ProcessIo } from './process-io.ts';
import { interruption } from './cli-error.ts';

/** The options that every command takes. */
export interface CommonOptions {
  readonly profile?: string;
  readonly json?: boolean;
  readonly timeout: number;
  readonly utc?: boolean;
}

const DEFAULT_WIDTH = 80;
/** Back to the beginning of the line, which is emptied. */
const CLEAR_LINE = '\r\u001b[K';

/** One run of a command: its options, and what it says to whom. */
export class Invocation {
  readonly json: boolean;
  readonly paint: Paint;
  readonly moments: Moments;
  readonly io: ProcessIo;
  readonly #options: CommonOptions;
  #hasProgress = false;
  #end: AbortSignal | undefined;

  constructor(io: ProcessIo, options: CommonOptions) {
    this.io = io;
    this.#options = options;
    this.json = options.json ?? false;
    this.paint = paintFor(io.stdout, io.env);
    this.moments = new Moments(options.utc === true ? 'UTC' : io.zone);
  }

  get profiles(): Profiles {
    const { env, home } = this.io;
    return new Profiles(profileFile(env, home));
  }

  /** `--timeout`. */
  get timeoutSeconds(): number {
    return this.#options.timeout;
  }

  /** The installation that the options, the environment or the current profile names. */
  connection(): Profile {
    return connectionOf(this.profiles, this.io.env, this.#options.profile);
  }

  /** Its API; the time of the command begins to run. */
  api(): ApiClient {
    const timeout = this.timeoutSeconds;
    return new ApiClient(this.connection(), {
      signal: AbortSignal.any([this.interrupted(), AbortSignal.timeout(timeout * 1_000)]),
      timeoutSeconds: timeout,
      progress: (text) => {
        this.progress(text);
      },
    });
  }

  /** Aborted where the person presses Ctrl-C, by one listener for all clients: a command that follows something makes many. */
  interrupted(): AbortSignal {
    if (this.#end !== undefined) return this.#end;
    const end = new AbortController();
    this.io.interrupted.addEventListener('abort', () => {
      end.abort(interruption());
    });
    return (this.#end = end.signal);
  }

  /** The columns of the terminal, `COLUMNS`, or 80. */
  get width(): number {
    const { stdout, env } = this.io;
    const columns = Number(env['COLUMNS']);
    return stdout.columns ?? (Number.isInteger(columns) && columns > 0 ? columns : DEFAULT_WIDTH);
  }

  /** Undefined where the output is read by a program, for which nothing is cut. */
  get terminalWidth(): number | undefined {
    return this.io.stdout.isTTY === true ? this.width : undefined;
  }

  /** Prints the result: as JSON where that was asked for, else as `text` says. */
  print(value: unknown, text: () => string): void {
    this.write(this.json ? jsonText(value) : text());
  }

  /** Prints text as it is, with `--json` too. */
  write(text: string): void {
    this.clearProgress();
    this.io.stdout.write(`${text}\n`);
  }

  /** Prints something that is no part of the result. */
  note(text: string): void {
    this.clearProgress();
    this.io.stderr.write(`${plain(text)}\n`);
  }

  /** Shows on a terminal, for the time being, what is waited for. */
  progress(text: string): void {
    const { stderr } = this.io;
    if (stderr.isTTY !== true) return;
    this.#hasProgress = true;
    stderr.write(`${CLEAR_LINE}${plain(text)}…`);
  }

  clearProgress(): void {
    if (this.#hasProgress) this.io.stderr.write(CLEAR_LINE);
    this.#hasProgress = false;
  }
}
