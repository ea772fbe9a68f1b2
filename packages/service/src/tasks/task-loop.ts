import { backOffMs, withTimeout } from '@tocsin/core';
import { isUnavailable } from '@tocsin/mongo';
import type { Task, TaskStatus } from './task.ts';

/** Receives the reports of the runs of a task. */
export interface TaskPorts {
  readonly realClock: { now(): Date };
  readonly logger: { error(fields: object, message: string): void };
  readonly metrics: {
    taskAdded(task: string): void;
    taskRan(task: string, run: { readonly seconds: number; readonly succeededAt?: Date | undefined }): void;
  };
  /** Called when a run has not ended 20 s after its abort. The process has to end, because the task cannot go on. */
  readonly onFatal: (error: Error) => void;
  /** Removes secrets from the message of an error. */
  readonly redact: (text: string) => string;
}

const RUN_TIMEOUT_MS = 60_000;
/** Longer than the driver of MongoDB waits for a server that is unavailable, and shorter than the stop of the process may take. */
const ABORT_TIMEOUT_MS = 20_000;
/** Upper bound of the pause after failed runs, unless MongoDB, Kafka or another service was unavailable. */
const MAX_BACK_OFF_MS = 5_000;
const OLDEST_DUE_TIMEOUT_MS = 2_000;
const MAX_ERROR_LENGTH = 500;
const MAX_CAUSES = 5;

/** The message of an error and of what caused it. */
function messageOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return String(error);
  const hasCause = error.cause !== undefined && depth < MAX_CAUSES;
  return hasCause ? `${error.message}: ${messageOf(error.cause, depth + 1)}` : error.message;
}

/** Runs one task again and again, never two runs at a time. */
export class TaskLoop {
  readonly task: Task;
  readonly #ports: TaskPorts;
  #running: Promise<void> | undefined;
  #abort = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #isWoken = false;
  #isStopped = false;
  #isStuck = false;
  #status: Omit<TaskStatus, 'name' | 'isRunning' | 'oldestDueAt'> = { failures: 0 };

  constructor(task: Task, ports: TaskPorts) {
    this.task = task;
    this.#ports = ports;
    ports.metrics.taskAdded(task.name);
    const { startAfterMs = 0 } = task;
    if (startAfterMs > 0) this.#startIn(startAfterMs);
    else this.#start();
  }

  /** Starts a run now. During a run, one more starts after it. The retry of a failed run still waits for its back-off. */
  wake(): void {
    if (this.#isStopped) return;
    if (this.#running !== undefined) this.#isWoken = true;
    else if (this.#status.failures === 0) this.#start();
  }

  /**
   * Aborts the running run, and resolves when it has ended. No further run starts.
   *
   * @throws Error when the run has not ended 20 s later.
   */
  async stop(): Promise<void> {
    const { runsUntil } = this.task;
    if (runsUntil !== undefined) await runsUntil().catch(() => undefined);
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#status = { ...this.#status, nextRunAt: undefined };
    this.#abort.abort(new Error('The service stops.'));
    await withTimeout(this.#running, this.#isStuck ? 0 : ABORT_TIMEOUT_MS, () => {
      throw this.#stuckError();
    });
  }

  async status(): Promise<TaskStatus> {
    const { name, oldestDueAt } = this.task;
    const due = await withTimeout(
      oldestDueAt?.().catch(() => undefined),
      OLDEST_DUE_TIMEOUT_MS,
      () => undefined,
    );
    return { name, isRunning: this.#running !== undefined, ...this.#status, oldestDueAt: due?.toISOString() };
  }

  #startIn(delayMs: number): void {
    if (this.#isStopped) return;
    this.#status = { ...this.#status, nextRunAt: this.#now(delayMs) };
    this.#timer = setTimeout(() => {
      this.#start();
    }, delayMs);
  }

  #start(): void {
    clearTimeout(this.#timer);
    // The run begins when the caller has ended, and a wake from then on is one during the run.
    this.#running = Promise.resolve().then(() => this.#run());
  }

  async #run(): Promise<void> {
    if (this.#isStopped) return;
    this.#isWoken = false;
    this.#status = { ...this.#status, startedAt: this.#now(), nextRunAt: undefined };
    const startedAt = performance.now();
    const pauseMs = await this.#activate().then(
      (askedMs) => this.#succeeded(startedAt, askedMs),
      (error: unknown) => this.#failed(startedAt, error),
    );
    this.#running = undefined;
    // A timer also where the pause is 0, so that the event loop serves others between two runs.
    this.#startIn(pauseMs);
  }

  /** Returns the pause that the run asks for. @throws what the task throws, or Error when it was aborted after its time. */
  async #activate(): Promise<number> {
    const { activate, everyMs, name, timeoutMs = RUN_TIMEOUT_MS } = this.task;
    const abort = new AbortController();
    this.#abort = abort;
    const error = new Error(`${name} took longer than ${timeoutMs / 1_000} s and was aborted.`);
    let timer = setTimeout(() => {
      abort.abort(error);
      timer = setTimeout(() => {
        this.#isStuck = true;
        this.#ports.onFatal(this.#stuckError());
      }, ABORT_TIMEOUT_MS);
    }, timeoutMs);
    try {
      const result = await activate(abort.signal);
      if (abort.signal.reason === error) throw error;
      return typeof result === 'object' ? Math.min(everyMs, result.pauseMs) : everyMs;
    } finally {
      clearTimeout(timer);
    }
  }

  #succeeded(startedAt: number, pauseMs: number): number {
    const now = this.#ports.realClock.now();
    const durationMs = performance.now() - startedAt;
    this.#status = { ...this.#status, durationMs, succeededAt: now.toISOString(), failures: 0 };
    this.#ports.metrics.taskRan(this.task.name, { seconds: durationMs / 1_000, succeededAt: now });
    return this.#isWoken ? 0 : pauseMs;
  }

  #failed(startedAt: number, error: unknown): number {
    const { everyMs, name } = this.task;
    const durationMs = performance.now() - startedAt;
    // An error of a run because the service stops is no failure.
    if (this.#isStopped) return 0;
    const failures = this.#status.failures + 1;
    const { logger, metrics, redact } = this.#ports;
    const lastError = redact(messageOf(error)).slice(0, MAX_ERROR_LENGTH);
    this.#status = { ...this.#status, durationMs, failures, lastError };
    metrics.taskRan(name, { seconds: durationMs / 1_000 });
    logger.error({ err: error, task: name, failures }, `${name} failed`);
    return Math.min(
      everyMs,
      isUnavailable(error) ? backOffMs(failures) : backOffMs(failures, { maxMs: MAX_BACK_OFF_MS }),
    );
  }

  #now(laterMs = 0): string {
    return new Date(this.#ports.realClock.now().getTime() + laterMs).toISOString();
  }

  #stuckError(): Error {
    return new Error(`${this.task.name} has not ended ${ABORT_TIMEOUT_MS / 1_000} s after it was aborted.`);
  }
}
