import { jest } from '@jest/globals';
import { ManualClock } from '@tocsin/core';
import { createLogger, Metrics } from '../observability/index.ts';
import type { TaskRunner } from '../tasks/task-runner.ts';
import { testTasks } from './test-tasks.ts';

/** The context of a part of a service that measures something every `everyMs`. Timers are faked until `end`. */
export class WatchContext {
  readonly clock = new ManualClock(new Date('2026-03-01T08:00:00Z'));
  readonly metrics = new Metrics('scheduling', { processMetrics: false });
  readonly warnings: unknown[] = [];
  readonly logger = Object.assign(createLogger('scheduling', 'silent'), {
    warn: (fields: object, message: string): void => {
      this.warnings.push({ ...fields, message });
    },
  });
  readonly tasks: TaskRunner;
  readonly #everyMs: number;

  constructor(everyMs: number) {
    jest.useFakeTimers();
    this.tasks = testTasks(this.clock);
    this.#everyMs = everyMs;
  }

  /** Waits for the next measurement, then returns the values of the series whose lines begin with `series`. */
  async shown(series: string): Promise<readonly (string | undefined)[]> {
    await jest.advanceTimersByTimeAsync(this.#everyMs);
    const { body } = await this.metrics.text();
    return body.split('\n').flatMap((line) => (line.startsWith(series) ? [line.split(' ')[1]] : []));
  }

  async end(): Promise<void> {
    await this.tasks.stop();
    jest.useRealTimers();
  }
}
