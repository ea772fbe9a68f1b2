import type { Clock } from '@tocsin/core';
import { createLogger, Metrics } from '../observability/index.ts';
import { TaskRunner } from '../tasks/task-runner.ts';

/** A runner for a test, which stops it. A task that does not end fails the test. */
export function testTasks(clock: Clock): TaskRunner {
  return new TaskRunner({
    clock,
    realClock: clock,
    logger: createLogger('scheduling', 'silent'),
    metrics: new Metrics('scheduling', { processMetrics: false }),
    onFatal: (error) => {
      throw error;
    },
  });
}
