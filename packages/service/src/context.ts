import type { Clock, FollowingClock } from '@tocsin/core';
import type { ServiceName } from '@tocsin/events';
import type { Logger, Metrics, Tracer } from './observability/index.ts';
import type { Activity } from './activity.ts';
import type { Health } from './health.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { ServiceConfig } from './service-config.ts';
import type { TaskRunner } from './tasks/task-runner.ts';

/** The common parts of a service; none of them is global. */
export interface ServiceContext<C extends ServiceConfig = ServiceConfig> {
  readonly name: ServiceName;
  readonly config: C;
  /** The clock for due times, expiry and retention. It is `realClock`, except in tests that control the time. */
  readonly clock: Clock;
  /** Real time by MongoDB's clock, after `openMongo` or `followServices` has set it. For the age of Kafka records. */
  readonly realClock: FollowingClock;
  /**
   * Upper bound of the time in which a consumer gathers records, in milliseconds of real time. None by default; tests wait for records
   * that no caller waits for.
   */
  readonly maxGatherMs?: number | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Traces nothing unless the settings have an endpoint. */
  readonly tracer: Tracer;
  readonly lifecycle: Lifecycle;
  readonly health: Health;
  readonly activity: Activity;
  /** Runs the repeated work of the service until the stop. */
  readonly tasks: TaskRunner;
  /** Shuts the process down in order; its supervisor starts it again. */
  readonly onFatal: (error: Error) => void;
}

/** Builds a service from its context and starts it; resolves when it takes work. */
export type Compose<C extends ServiceConfig> = (context: ServiceContext<C>) => Promise<void>;
