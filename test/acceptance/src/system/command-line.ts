import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { processEnvironment } from '@tocsin/testkit';
import { API_KEY } from './api.ts';

const MAIN = fileURLToPath(new URL('../../../../packages/cli/src/main.ts', import.meta.url));

/** The result of a run of the command. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `tocsin` as one person runs it, as a process of its own with a folder of its own. */
export class CommandLine {
  readonly folder: string;
  readonly #env: Readonly<Record<string, string>>;

  /** `env` stands beside the environment of a user in UTC whose installation answers at `url`. */
  constructor(url: string, env: Readonly<Record<string, string>> = {}) {
    this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-cli-'));
    const own = { TZ: 'UTC', HOME: this.folder, TOCSIN_CONFIG: path.join(this.folder, 'config.json') };
    this.#env = { ...own, TOCSIN_URL: url, TOCSIN_KEY: API_KEY, ...env };
  }

  /** The same person with other variables; an empty one is as if it were not set. */
  with(env: Readonly<Record<string, string>>): CommandLine {
    return new CommandLine('', { ...this.#env, ...env });
  }

  /** Runs one command to its end. */
  async run(...args: readonly string[]): Promise<Ran> {
    return this.fed('', ...args);
  }

  /** As `run`, with `input` on standard input. */
  async fed(input: string, ...args: readonly string[]): Promise<Ran> {
    const child = this.start(...args);
    child.stdin.on('error', () => undefined).end(input);
    return this.end(child);
  }

  /** Starts one command, which goes on. */
  start(...args: readonly string[]): ChildProcessWithoutNullStreams {
    const flags = ['--conditions=source', '--disable-warning=ExperimentalWarning'];
    return spawn(process.execPath, [...flags, MAIN, ...args], { env: processEnvironment(this.#env) });
  }

  /** The end of a command, and all its output. Call it right after the start. */
  async end(child: ChildProcessWithoutNullStreams): Promise<Ran> {
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit') as Promise<[number | null]>,
    ]);
    return { code, stdout, stderr };
  }

  /** The output of a successful run with `--json`. @throws Error when it failed. */
  async json<T>(...args: readonly string[]): Promise<T> {
    const ran = await this.run(...args, '--json');
    if (ran.code === 0) return JSON.parse(ran.stdout) as T;
    throw new Error(`tocsin ${args.join(' ')} ended with ${ran.code}: ${ran.stderr}`);
  }

  remove(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}
