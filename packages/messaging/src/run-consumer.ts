import { setTimeout as pause } from 'node:timers/promises';
import type { Consumer, ConsumerRunConfig } from 'kafkajs';
import type { MessagingLogger } from './ports.ts';

/** What a consumer is run with, besides what kafkajs takes. */
export interface RunOptions {
  readonly logger: MessagingLogger;
  /** Whether somebody still wants the records. */
  readonly wanted: () => boolean;
  /** Called once the consumer cannot go on. */
  readonly onFatal: (error: Error) => void;
}

const RESTART_MS = 500;

/**
 * Runs a consumer for as long as it is wanted. kafkajs starts it again after most failures, but ends it for good where no broker
 * told of the group's coordinator. That passes: a broker that stops or starts does not know it for a moment. Then the consumer
 * is run again, and joins its group anew.
 */
export async function runConsumer(
  consumer: Pick<Consumer, 'events' | 'on' | 'run'>,
  config: ConsumerRunConfig,
  { logger, onFatal, wanted }: RunOptions,
): Promise<void> {
  const again = async (): Promise<void> => {
    await pause(RESTART_MS);
    if (wanted()) await consumer.run(config);
  };
  consumer.on(consumer.events.CRASH, ({ payload: { error, restart } }) => {
    if (restart || !wanted()) return;
    if (!isWithoutCoordinator(error)) {
      onFatal(error);
      return;
    }
    logger.warn({ err: error }, 'No broker knows who coordinates the group. It is joined again.');
    again().catch(onFatal);
  });
  await consumer.run(config);
}

function isWithoutCoordinator(error: unknown): boolean {
  if (!Error.isError(error)) return false;
  return error.name === 'KafkaJSGroupCoordinatorNotFound' || isWithoutCoordinator(error.cause);
}
