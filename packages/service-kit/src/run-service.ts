import { systemClock } from '@tocsin/clock';
import type { ServiceName } from '@tocsin/contracts';
import { createLogger, Metrics, type Logger } from '@tocsin/observability';
import type { z } from 'zod';
import { Activity } from './activity.ts';
import type { Compose, ServiceContext } from './context.ts';
import { Health } from './health.ts';
import { Lifecycle } from './lifecycle.ts';
import { configProblems, type ServiceConfig } from './service-config.ts';
import { startService } from './start-service.ts';

/** An orderly stop that takes longer than this, in milliseconds, is cut: the platform would kill us at 30 s. */
const STOP_LIMIT_MS = 25_000;

/**
 * Reads the configuration, composes the service and keeps it running until the process is told to stop. A configuration
 * that is wrong ends the process with every problem named; SIGTERM and SIGINT stop the parts in order within 25 s.
 */
export async function runService<C extends ServiceConfig>(
  name: ServiceName,
  schema: z.ZodType<C>,
  compose: Compose<C>,
): Promise<void> {
  const parsed = schema.safeParse(process.env);
  if (!parsed.success) {
    createLogger(name, 'info').fatal({ problems: configProblems(parsed.error) }, 'the configuration is not valid');
    process.exitCode = 1;
    return;
  }
  const config = parsed.data;
  const logger = createLogger(name, config.common.logLevel);
  const lifecycle = new Lifecycle();
  const stop = stopper(lifecycle, logger);
  const context: ServiceContext<C> = {
    name,
    config,
    clock: systemClock,
    logger,
    metrics: new Metrics(name),
    lifecycle,
    health: new Health(),
    activity: new Activity(),
    onFatal: (error) => {
      logger.fatal({ err: error }, 'cannot go on');
      stop('fatal error', 1);
    },
  };
  process.once('SIGTERM', () => {
    stop('SIGTERM', 0);
  });
  process.once('SIGINT', () => {
    stop('SIGINT', 0);
  });
  await startService(context, compose).catch(context.onFatal);
}

function stopper(lifecycle: Lifecycle, logger: Logger) {
  return (reason: string, exitCode: number): void => {
    if (lifecycle.stopping) return;
    logger.info({ reason }, 'stopping');
    setTimeout(() => {
      logger.error('the stop took too long and was cut');
      process.exit(1);
    }, STOP_LIMIT_MS).unref();
    lifecycle.stop().then(
      () => {
        process.exit(exitCode);
      },
      (error: unknown) => {
        logger.error({ err: error }, 'shutdown was not clean');
        process.exit(1);
      },
    );
  };
}
