import { setTimeout as pause } from 'node:timers/promises';
import type { Consumer, ConsumerRunConfig } from 'kafkajs';
import type { MessagingLogger } from './ports.ts';

/** Options of {@link runConsumer} besides those of kafkajs. */
export interface RunOptions {
  readonly logger: MessagingLogger;
  /** False once the consumer is being stopped. */
  readonly isWanted: () => boolean;
  /** Called when the consumer cannot recover by itself. */
  readonly onFatal: (error: Error) => void;
}

const RESTART_MS = 500;

/**
 * Runs a consumer until it is stopped. kafkajs restarts it after most failures, but not when no broker knows the group's
 * coordinator, which is so for a moment while a broker stops or starts. Then this function restarts it.
 */
export async function runConsumer(
  consumer: Pick<Consumer, 'events' | 'on' | 'run'>,
  config: ConsumerRunConfig,
  { isWanted, logger, onFatal }: RunOptions,
): Promise<void> {
  const again = async (): Promise<void> => {
    await pause(RESTART_MS);
    if (isWanted()) await consumer.run(config);
  };
  consumer.on(consumer.events.CRASH, ({ payload: { error, restart } }) => {
    if (restart || !isWanted()) return;
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
