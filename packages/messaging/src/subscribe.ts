import { setTimeout as pause } from 'node:timers/promises';
import type { TopicDefinition } from '@tocsin/contracts';
import type { Consumer } from 'kafkajs';
import { backOffMs } from './back-off.ts';
import type { BatchHandler, MessagingLogger } from './ports.ts';

/** A topic and the handler of its records. */
export interface Subscription {
  readonly topic: Pick<TopicDefinition<unknown>, 'name' | 'reads' | 'schema' | 'version'>;
  readonly handler: BatchHandler<never>;
}

/** Checks that the handler takes the values of the topic, which the type of a list of subscriptions does not say. */
export function subscription<T>(topic: TopicDefinition<T>, handler: BatchHandler<NoInfer<T>>): Subscription {
  return { topic, handler };
}

/** What {@link subscribe} needs. */
export interface SubscribeOptions {
  readonly logger: MessagingLogger;
  /** False once the consumer is being stopped. */
  readonly wanted: () => boolean;
}

/**
 * Subscribes the consumer to `topics` (names with the prefix). Waits until they exist: the deployment creates them, and a service
 * may start first. A group without a position reads from the beginning, because starting at the end would skip records.
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
      await pause(backOffMs(attempt));
    }
  }
}
