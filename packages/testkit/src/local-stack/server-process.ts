import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Why and how a process ended. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ProcessPlan {
  readonly command: string;
  readonly args: readonly string[];
  /** Where its output goes; to that of this process by default. */
  readonly logFile?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
}

/**
 * A child process that always ends with its parent, also when the parent is killed with -9. Ctrl-C of the terminal does not reach it,
 * because the parent decides the order in which processes stop.
 */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #guard: ChildProcess;
  readonly #logFile: string | undefined;
  /** Resolves when the process has ended, for whatever reason. */
  readonly exited: Promise<ProcessEnd>;
  #end: ProcessEnd | undefined;

  constructor(plan: ProcessPlan) {
    this.#logFile = plan.logFile;
    const log = plan.logFile === undefined ? 'inherit' : opened(plan.logFile);
    const options = plan.env === undefined ? {} : { env: plan.env };
    this.#child = spawn(plan.command, [...plan.args], {
      ...options,
      cwd: plan.cwd ?? process.cwd(),
      detached: true,
      stdio: ['ignore', log, log],
    });
    if (log !== 'inherit') fs.closeSync(log);
    this.#guard = guard(this.#child.pid);
    this.exited = new Promise((resolve) => {
      const settle = (code: number | null, signal: NodeJS.Signals | null): void => {
        this.#end ??= { code, signal };
        this.#guard.stdin?.end('released\n');
        resolve(this.#end);
      };
      this.#child.once('exit', settle);
      this.#child.once('error', () => {
        settle(127, null);
      });
    });
    this.#child.unref();
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** How it ended; undefined while it runs. */
  get end(): ProcessEnd | undefined {
    return this.#end;
  }

  /** The last lines of its log; empty where there is none. */
  lastLogLines(count: number): string {
    if (this.#logFile === undefined || !fs.existsSync(this.#logFile)) return '';
    return fs.readFileSync(this.#logFile, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
  }

  /** Sends SIGTERM, and SIGKILL after `graceMs`. */
  async stop(graceMs = 20_000): Promise<ProcessEnd> {
    if (this.#end === undefined) {
      this.#child.ref();
      this.#child.kill('SIGCONT');
      this.#child.kill('SIGTERM');
    }
    const force = setTimeout(() => this.#child.kill('SIGKILL'), graceMs);
    const end = await this.exited;
    clearTimeout(force);
    return end;
  }

  /** Sends SIGKILL, as a crash would end it. */
  async kill(): Promise<ProcessEnd> {
    this.#child.ref();
    if (this.#end === undefined) this.#child.kill('SIGKILL');
    return this.exited;
  }

  /** Freezes it: its connections stay open and it does not answer. Resolves when all its threads are stopped. */
  async pause(): Promise<void> {
    this.#child.kill('SIGSTOP');
    // A signal stops the threads of a process one by one.
    while (this.#end === undefined && !allStopped(this.pid)) await pause(1);
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }
}

function opened(logFile: string): number {
  fs.mkdirSync(path.dirname(logFile), { recursive: true });
  return fs.openSync(logFile, 'a');
}

/** Whether every thread is stopped; true where the system has no such information. */
function allStopped(pid: number): boolean {
  try {
    const tasks = `/proc/${String(pid)}/task`;
    const states = fs.readdirSync(tasks).map((task) => fs.readFileSync(path.join(tasks, task, 'stat'), 'utf8'));
    // The state comes after the name, which is in brackets and may contain any character.
    return states.every((stat) => stat.slice(stat.lastIndexOf(')') + 2).startsWith('T'));
  } catch {
    return !fs.existsSync('/proc/self/task');
  }
}

/**
 * A shell that reads a pipe from this process. A pipe that closes before the first line means that this process is dead, and the shell
 * kills the child.
 */
function guard(pid: number | undefined): ChildProcess {
  const script = 'trap "" INT TERM HUP; read -r word || { kill -CONT "$1"; kill -TERM "$1"; }';
  const shell = spawn('/bin/sh', ['-c', pid === undefined ? 'true' : script, 'guard', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  shell.stdin.on('error', () => undefined);
  (shell.stdin as unknown as { unref?: () => void }).unref?.();
  return shell;
}
