import { spawn } from 'node:child_process';

/** How a command ended and what it said. */
export interface CommandResult {
  readonly ok: boolean;
  readonly output: string;
}

export interface CommandOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `show`: its output goes to the terminal as it comes; `keep`: it is kept for the caller. */
  readonly output: 'show' | 'keep';
  /** Ends it. */
  readonly signal?: AbortSignal;
}

/** Runs one command to its end. A command that cannot be started has failed. */
export function runCommand(command: string, args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  return new Promise((resolve) => {
    const said: Buffer[] = [];
    const child = spawn(command, [...args], {
      cwd: options.cwd,
      env: options.env,
      stdio: ['ignore', options.output === 'show' ? 'inherit' : 'pipe', options.output === 'show' ? 'inherit' : 'pipe'],
      ...(options.signal === undefined ? {} : { signal: options.signal, killSignal: 'SIGTERM' as const }),
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => said.push(chunk));
    const settle = (ok: boolean): void => {
      resolve({ ok, output: Buffer.concat(said).toString('utf8').trimEnd() });
    };
    child.once('error', (error) => {
      said.push(Buffer.from(`${error.message}\n`));
      settle(false);
    });
    child.once('close', (code) => {
      settle(code === 0);
    });
  });
}
