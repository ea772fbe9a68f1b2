import { spawn, type ChildProcess } from 'node:child_process';

/** A program that could not do what it was asked. */
class CommandError extends Error {
  override readonly name = 'CommandError';
}

export interface CommandOptions {
  readonly input?: string;
  readonly timeoutMs?: number;
}

const PATIENCE_MS = 60_000;

/** The programs that run now. */
const running = new Set<ChildProcess>();

/** Ends every program that runs now: its caller gets a CommandError. */
export function endCommands(): void {
  for (const child of running) child.kill('SIGTERM');
}

/**
 * Runs a program and resolves with what it printed.
 *
 * @throws CommandError with all that it said, when it ends with another code than 0 or not within `timeoutMs` (60 s unless given).
 */
export function command(program: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { input = '', timeoutMs = PATIENCE_MS } = options;
  const { promise, reject, resolve } = Promise.withResolvers<string>();
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], timeout: timeoutMs, killSignal: 'SIGKILL' });
  running.add(child);
  const printed: string[] = [];
  const complained: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => printed.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => complained.push(text));
  child.stdin.on('error', () => undefined).end(input);
  child.once('error', (error) => {
    running.delete(child);
    reject(error);
  });
  child.once('close', (code, signal) => {
    running.delete(child);
    if (code === 0) {
      resolve(printed.join(''));
      return;
    }
    const how = signal === null ? `ended with ${String(code)}` : `was ended by ${signal}`;
    reject(new CommandError(`${[program, ...args].join(' ')} ${how}:\n${printed.join('')}${complained.join('')}`));
  });
  return promise;
}
