import { setTimeout as pause } from 'node:timers/promises';
import type { TopicDefinition } from '@tocsin/contracts';
import type { Consumer } from 'kafkajs';
import { backOffMs } from './back-off.ts';
import type { BatchHandler, MessagingLogger } from './ports.ts';

/** A topic and the handler of its records. */
export interface Subscription {
  readonly topic: Pick<TopicDefinition<unknown>, 'name' | 'schema' | 'version'>;
  readonly handler: BatchHandler<never>;
}

/** Pairs a topic with a handler of exactly its values, which a list of subscriptions can no longer check. */
export function subscription<T>(topic: TopicDefinition<T>, handler: BatchHandler<NoInfer<T>>): Subscription {
  return { topic, handler };
}

/** How to wait for topics that do not exist yet. */
export interface SubscribeOptions {
  readonly logger: MessagingLogger;
  /** Whether somebody still wants the subscription. */
  readonly wanted: () => boolean;
}

/**
 * Resolves when the consumer is subscribed to all of `topics` (names on the wire). Waits for them: the deployment creates them,
 * and services may start first. Without a position it reads from the beginning, because starting at the end would skip records.
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
