import type { Clock } from '@tocsin/core';
import { redact } from '../observability/index.ts';
import { TaskLoop, type TaskPorts } from './task-loop.ts';
import type { Task, TaskStatus } from './task.ts';

/** The parts of a {@link TaskRunner}. */
export interface TaskRunnerOptions extends Omit<TaskPorts, 'redact'> {
  /** The service's clock. */
  readonly clock: Clock;
  /** Values that are removed from the messages of errors. */
  readonly secrets?: readonly string[];
}

/**
 * Runs the repeated work of a process: each {@link Task} by itself, never two runs of one at a time, until the stop. A run that
 * throws is retried; one that ends neither in its time nor after its abort ends the process, whose supervisor starts it again.
 */
export class TaskRunner {
  readonly #options: TaskRunnerOptions;
  readonly #ports: TaskPorts;
  readonly #loops = new Map<string, TaskLoop>();
  readonly #unsubscribe: () => void;
  #isStopping = false;
  #statuses: Promise<readonly TaskStatus[]> | undefined;

  constructor(options: TaskRunnerOptions) {
    this.#options = options;
    const { secrets = [], ...ports } = options;
    this.#ports = { ...ports, redact: (text) => redact(text, secrets) };
    this.#unsubscribe = this.#options.clock.whenMoved(() => {
      for (const loop of this.#loops.values()) if (loop.task.runsWhenClockMoves === true) loop.wake();
    });
  }

  /** Starts a task. @throws Error where there is one of that name, or the service stops. */
  add(task: Task): void {
    if (this.#isStopping) throw new Error(`${task.name} was added while the service was stopping`);
    if (this.#loops.has(task.name)) throw new Error(`There are two tasks ${task.name}.`);
    this.#loops.set(task.name, new TaskLoop(task, this.#ports));
  }

  /** Starts a run of the task now or, during a run, after it. No effect before the task is added: it runs at its start. */
  wake(name: string): void {
    this.#loops.get(name)?.wake();
  }

  /** By name. Calls at the same time share one look, because a task may ask its database when work is due. */
  statuses(): Promise<readonly TaskStatus[]> {
    this.#statuses ??= this.#look().finally(() => (this.#statuses = undefined));
    return this.#statuses;
  }

  async #look(): Promise<readonly TaskStatus[]> {
    const statuses = await Promise.all([...this.#loops.values()].map((loop) => loop.status()));
    return statuses.toSorted((one, other) => one.name.localeCompare(other.name));
  }

  /**
   * Aborts all runs, and resolves when they have ended. No further run starts.
   *
   * @throws AggregateError with those that have not ended 20 s after their abort.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#unsubscribe();
    const ends = await Promise.allSettled([...this.#loops.values()].map((loop) => loop.stop()));
    const errors = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    if (errors.length > 0) throw new AggregateError(errors, 'Tasks have not ended after their abort.');
  }
}
