import { FollowingClock } from '@tocsin/core';
import type { ServiceName } from '@tocsin/events';
import {
  createLogger,
  Metrics,
  openTracer,
  type LogDestination,
  type Logger,
  type Tracer,
} from './observability/index.ts';
import { Activity } from './activity.ts';
import { adminListener } from './admin.ts';
import type { Compose, ServiceContext } from './context.ts';
import { Health } from './health.ts';
import { Lifecycle } from './lifecycle.ts';
import { listen } from './listen.ts';
import type { CommonConfig, ServiceConfig } from './service-config.ts';
import { TaskRunner } from './tasks/task-runner.ts';

/** Opens the admin port and composes the service within `context`. */
export async function startService<C extends ServiceConfig>(
  context: ServiceContext<C>,
  compose: Compose<C>,
): Promise<void> {
  const { config, health, lifecycle, logger, metrics, realClock, tasks, tracer } = context;
  // Added first, so that it is closed last and sends the spans of the shutdown.
  if (tracer.on) lifecycle.add('traces', () => tracer.close());
  const { adminHost: host, adminPort: port } = config.common;
  await listen(adminListener({ health, metrics, tasks }), {
    name: 'admin port',
    host,
    port,
    lifecycle,
    clock: realClock,
    untilTheEnd: true,
  });
  await lifecycle.startWork(
    'tasks',
    () => tasks,
    () => tasks.stop(),
  );
  await compose(context);
  health.markStarted();
  logger.info('ready');
}

/** The tracer that the settings ask for. Spans that cannot be sent are dropped and logged. */
export function tracerOf(
  service: ServiceName,
  { instance, traces }: CommonConfig,
  logger: () => Pick<Logger, 'warn'>,
): Promise<Tracer> {
  const onDropped = (spans: number, error: unknown): void => {
    logger().warn({ err: error, spans }, 'Spans cannot be sent and are dropped.');
  };
  return openTracer({ service, instance, settings: traces, onDropped });
}

/** The parts of {@link composeService}. */
export interface ServiceRecipe<C extends ServiceConfig> extends Pick<
  ServiceContext<C>,
  'name' | 'config' | 'clock' | 'maxGatherMs'
> {
  readonly compose: Compose<C>;
  /** A clock of the service's own by default, which follows MongoDB's. */
  readonly realClock?: FollowingClock;
  /** Throws the error by default. */
  readonly onFatal?: ServiceContext['onFatal'];
  /** Takes the lines of the log; standard output by default. */
  readonly log?: LogDestination | undefined;
}

/**
 * Starts one of several services in a process, with metrics, connections and ports of its own. Resolves when it takes work, with
 * the context whose lifecycle stops it.
 */
export async function composeService<C extends ServiceConfig>({
  compose,
  onFatal = thrown,
  log,
  ...given
}: ServiceRecipe<C>): Promise<ServiceContext<C>> {
  const { name, config } = given;
  const logger = createLogger(name, config.common.logLevel, log);
  const metrics = new Metrics(name, { processMetrics: false });
  const clocks = { realClock: new FollowingClock(), ...given };
  const context: ServiceContext<C> = {
    ...clocks,
    logger,
    tracer: await tracerOf(name, config.common, () => logger),
    metrics,
    lifecycle: new Lifecycle(),
    health: new Health(),
    activity: new Activity(),
    tasks: new TaskRunner({ ...clocks, logger, metrics, onFatal }),
    onFatal,
  };
  await startService(context, compose);
  return context;
}

function thrown(error: Error): never {
  throw error;
}
