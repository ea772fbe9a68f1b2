import { setTimeout as pause } from 'node:timers/promises';
import type { Consumer } from 'kafkajs';
import { backOffMs } from './back-off.ts';
import type { MessagingLogger } from './logger.ts';

/** What happens to the wait for topics that do not exist yet. */
export interface SubscribeOptions {
  readonly logger: MessagingLogger;
  /** Whether somebody still wants the subscription. */
  readonly wanted: () => boolean;
}

/**
 * Resolves when the consumer follows all of `topics` (names on the wire), which are waited for: the deployment makes them,
 * and services may be started first. From the beginning: the end would skip everything wherever a position is lost.
 */
export async function subscribe(
  consumer: Pick<Consumer, 'subscribe'>,
  topics: readonly string[],
  { logger, wanted }: SubscribeOptions,
): Promise<void> {
  for (let attempt = 1; wanted(); attempt += 1) {
    try {
      await consumer.subscribe({ topics: [...topics], fromBeginning: true });
      return;
    } catch (error) {
      logger.warn({ err: error, topics, attempt }, 'Waiting for topics that are not there yet.');
      await pause(backOffMs(attempt, Math.random()));
    }
  }
}
