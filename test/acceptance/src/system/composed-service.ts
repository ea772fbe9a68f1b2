import { composeService, type Activity, type Compose, type ServiceConfig, type LogDestination } from '@tocsin/service';
import type { Clock } from '@tocsin/core';
import type { ServiceName } from '@tocsin/events';
import type { z } from 'zod';

/** How one service is made from its own package. */
export interface ServiceRecipe<C extends ServiceConfig = ServiceConfig> {
  readonly name: ServiceName;
  readonly config: z.ZodType<C>;
  readonly compose: Compose<C>;
  readonly log?: LogDestination | undefined;
}

/** Alert-processor gathers decisions for a second, and each test waits for them several times. */
const MAX_GATHER_MS = 50;

/** A service that runs within this process, with everything of its own: registry, connection, ports. */
export interface ComposedService {
  readonly name: ServiceName;
  readonly activity: Activity;
  stop(): Promise<void>;
}

/** Composes a service as its own process would, on the given clock; its log goes to standard output by default. */
export async function startComposed<C extends ServiceConfig>(
  { name, config, compose, log }: ServiceRecipe<C>,
  environment: Readonly<Record<string, string>>,
  clock: Clock,
  onFatal: (error: Error) => void,
): Promise<ComposedService> {
  const { activity, lifecycle } = await composeService({
    name,
    config: config.parse(environment),
    compose,
    clock,
    maxGatherMs: MAX_GATHER_MS,
    onFatal,
    log,
  });
  return { name, activity, stop: () => lifecycle.stop() };
}
