import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { backOffMs } from '@tocsin/core';
import { ServerProcess, type ProcessPlan } from '@tocsin/testkit';
import { TroubleError } from './trouble.ts';

/** When a supervisor starts a process again, and when it gives up; real time in milliseconds. */
export interface RestartPolicy {
  /** The pause after the first end, which doubles with each further end in a row. */
  readonly firstMs: number;
  /** The longest pause. */
  readonly maxMs: number;
  /** A process that lived this long starts again without a memory of earlier ends. */
  readonly steadyAfterMs: number;
  /** So many ends before it was ever ready are taken for a fault that a restart does not cure. */
  readonly endsBeforeReady: number;
}

export const RESTART_POLICY: RestartPolicy = {
  firstMs: 500,
  maxMs: 10_000,
  steadyAfterMs: 30_000,
  endsBeforeReady: 3,
};
const LOG_LIMIT_BYTES = 20_000_000;

/** The reports of a supervised process. */
export interface Reports {
  started(name: string, pid: number): void;
  ended(name: string, how: string, againInMs: number): void;
}

/** A process whose output goes to a file. */
type LoggedPlan = ProcessPlan & { readonly logFile: string };

/** Keeps one process running until `stop`: one that dies is started again, after a pause that grows while it keeps dying. */
export class Supervised {
  readonly name: string;
  readonly #plan: LoggedPlan;
  readonly #reports: Reports;
  readonly #policy: RestartPolicy;
  readonly #stopping = new AbortController();
  #process: ServerProcess;
  #watching: Promise<void> | undefined;
  #ends = 0;
  #wasReady = false;

  constructor(name: string, plan: LoggedPlan, reports: Reports, policy: RestartPolicy = RESTART_POLICY) {
    this.name = name;
    this.#plan = plan;
    this.#reports = reports;
    this.#policy = policy;
    this.#process = this.#spawn();
    this.#watching = this.#watch();
  }

  /** Why waiting for it is hopeless; undefined while it may still become ready. */
  get hopeless(): string | undefined {
    if (this.#wasReady || this.#ends < this.#policy.endsBeforeReady) return undefined;
    return `${this.name} does not start. Its log ends with:\n${this.#process.lastLogLines(12)}\nAll of it: ${this.#plan.logFile}`;
  }

  markReady(): void {
    this.#wasReady = true;
  }

  async stop(graceMs?: number): Promise<void> {
    this.#stopping.abort();
    await this.#process.stop(graceMs);
    await this.#watching;
  }

  #spawn(): ServerProcess {
    turnOver(this.#plan.logFile);
    const started = new ServerProcess(this.#plan);
    this.#reports.started(this.name, started.pid);
    return started;
  }

  async #watch(): Promise<void> {
    while (await this.#endedByItself()) {
      const { signal } = this.#stopping;
      await pause(this.#pauseMs(), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      this.#process = this.#spawn();
    }
  }

  /** Resolves with false when it was stopped, and counts and reports any other end. */
  async #endedByItself(): Promise<boolean> {
    const startedAt = performance.now();
    const { code, signal } = await this.#process.exited;
    if (this.#stopping.signal.aborted) return false;
    this.#ends = performance.now() - startedAt > this.#policy.steadyAfterMs ? 1 : this.#ends + 1;
    this.#reports.ended(this.name, signal ?? `code ${String(code)}`, this.#pauseMs());
    return true;
  }

  #pauseMs(): number {
    return backOffMs(this.#ends, { ...this.#policy, jitter: 0 });
  }
}

/** Waits until `check` holds for every one of `processes`. */
export async function allReady(
  processes: readonly Supervised[],
  check: (name: string) => Promise<boolean>,
  { timeoutMs, everyMs = 100 }: { timeoutMs: number; everyMs?: number },
): Promise<void> {
  const until = performance.now() + timeoutMs;
  let waiting = [...processes];
  for (;;) {
    const answers = await Promise.all(waiting.map((each) => check(each.name)));
    for (const ready of waiting.filter((_, index) => answers[index])) ready.markReady();
    waiting = waiting.filter((_, index) => !answers[index]);
    if (waiting.length === 0) return;
    const trouble = waiting.map((each) => each.hopeless).find((reason) => reason !== undefined);
    if (trouble !== undefined) throw new TroubleError(trouble);
    if (performance.now() > until)
      throw new TroubleError(`${names(waiting)} did not become ready within ${timeoutMs / 1000} s.`);
    await pause(everyMs);
  }
}

const names = (processes: readonly Supervised[]): string => processes.map((each) => each.name).join(', ');

/** One older file is kept beside a log that has grown large. */
function turnOver(file: string): void {
  if ((fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT_BYTES) fs.renameSync(file, `${file}.1`);
}
