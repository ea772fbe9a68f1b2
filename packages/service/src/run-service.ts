import { FollowingClock } from '@tocsin/core';
import type { ServiceName } from '@tocsin/events';
import { createLogger, Metrics, secretsOf, traceFields, type Logger } from './observability/index.ts';
import type { IndexPlan } from '@tocsin/mongo';
import { z } from 'zod';
import { Activity } from './activity.ts';
import type { Compose, ServiceContext } from './context.ts';
import { Health } from './health.ts';
import { Lifecycle } from './lifecycle.ts';
import { isPreparation, prepare, PREPARATION_NAMES } from './preparation.ts';
import { configProblems, type ServiceConfig } from './service-config.ts';
import { startService, tracerOf } from './start-service.ts';
import { TaskRunner } from './tasks/task-runner.ts';
import { logWarnings } from './warnings.ts';

const NOT_VALID = 'the configuration is not valid';

/** A longer shutdown is cut, because Kubernetes would kill the process after 30 s. */
const STOP_LIMIT_MS = 25_000;

export interface ServiceDefinition<C extends ServiceConfig> {
  readonly name: ServiceName;
  readonly config: z.ZodType<C>;
  /** Of the service's own collections; none where it has no database. */
  readonly indexes: readonly IndexPlan[];
  readonly compose: Compose<C>;
}

/**
 * Runs the service, or the preparation that the first argument of the process names, and then ends the process.
 */
export async function runService<C extends ServiceConfig>(definition: ServiceDefinition<C>): Promise<void> {
  const [task] = process.argv.slice(2);
  if (task === undefined) await serve(definition);
  else await runPreparation(task, definition);
}

async function runPreparation(task: string, definition: Omit<ServiceDefinition<never>, 'config'>): Promise<void> {
  const { name } = definition;
  const logger = createLogger(name, 'info', undefined, secretsOf(process.env));
  logWarnings(logger);
  try {
    if (!isPreparation(task)) throw new Error(`${task} is nothing to do; ${PREPARATION_NAMES.join(' and ')} are.`);
    await prepare(task, definition, process.env);
    process.exit(0);
  } catch (error) {
    if (error instanceof z.ZodError) logger.fatal({ problems: configProblems(error) }, NOT_VALID);
    else logger.fatal({ err: error }, `${task} failed`);
    process.exit(1);
  }
}

/**
 * Reads the configuration, and runs the service until SIGTERM or SIGINT. A wrong configuration ends the process with every
 * problem in the log. A signal makes the service unready and stops its work at once, but for its listeners, which stop after
 * `STOP_WAIT_MS`, in which load balancers notice; all within 25 s.
 */
async function serve<C extends ServiceConfig>({ name, config: schema, compose }: ServiceDefinition<C>): Promise<void> {
  const parsed = schema.safeParse(process.env);
  if (!parsed.success) {
    createLogger(name, 'info').fatal({ problems: configProblems(parsed.error) }, NOT_VALID);
    process.exitCode = 1;
    return;
  }
  const config = parsed.data;
  const secrets = secretsOf(process.env);
  const tracer = await tracerOf(name, config.common, () => logger);
  const mixin = tracer.on ? () => traceFields(tracer) : undefined;
  const logger = createLogger(name, config.common.logLevel, undefined, secrets, mixin);
  logWarnings(logger);
  const clock = new FollowingClock();
  const lifecycle = new Lifecycle();
  const health = new Health();
  const stop = stopper({ lifecycle, health, logger, waitMs: config.common.stopWaitMs });
  const metrics = new Metrics(name);
  const onFatal = (error: Error): void => {
    logger.fatal({ err: error }, 'cannot go on');
    stop('fatal error', 1);
  };
  const context: ServiceContext<C> = {
    name,
    config,
    clock,
    realClock: clock,
    logger,
    metrics,
    tracer,
    lifecycle,
    health,
    activity: new Activity(),
    tasks: new TaskRunner({ clock, realClock: clock, logger, metrics, onFatal, secrets }),
    onFatal,
  };
  process.once('SIGTERM', () => {
    stop('SIGTERM', 0);
  });
  process.once('SIGINT', () => {
    stop('SIGINT', 0);
  });
  await startService(context, compose).catch((error: unknown) => {
    if (lifecycle.stopping) logger.info({ err: error }, 'The service was stopped during its start.');
    else context.onFatal(error as Error);
  });
}

interface Stopping {
  readonly lifecycle: Lifecycle;
  readonly health: Health;
  readonly logger: Logger;
  /** How long the listeners of a started service go on after it has become unready. */
  readonly waitMs: number;
}

function stopper({ lifecycle, health, logger, waitMs }: Stopping) {
  let stopping = false;
  return (reason: string, exitCode: number): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ reason }, 'stopping');
    setTimeout(() => {
      logger.error('The stop took too long. The process ends now.');
      process.exit(1);
    }, STOP_LIMIT_MS).unref();
    health.markStopping();
    lifecycle.stop({ listenersAfterMs: health.started ? waitMs : 0 }).then(
      () => {
        process.exit(exitCode);
      },
      (error: unknown) => {
        logger.error({ err: error }, 'Parts of the service failed to stop.');
        process.exit(1);
      },
    );
  };
}
