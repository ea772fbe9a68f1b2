import { retry } from '@tocsin/core';
import type { TopicDefinition } from '@tocsin/events';
import type { Consumer } from 'kafkajs';
import type { BatchProcessor, MessagingLogger } from './ports.ts';
import type { GroupBounds } from './record-groups.ts';

/** A topic and what processes its records. */
export interface Subscription {
  readonly topic: Pick<TopicDefinition<unknown>, 'name' | 'reads' | 'schema' | 'version'>;
  readonly processor: BatchProcessor<never>;
  readonly groups?: GroupBounds;
}

/** Checks that the processor takes the values of the topic, which the type of a list of subscriptions does not say. */
export function subscription<T>(
  topic: TopicDefinition<T>,
  processor: BatchProcessor<NoInfer<T>>,
  groups: GroupBounds = {},
): Subscription {
  return { topic, processor, groups };
}

export interface SubscribeOptions {
  readonly logger: MessagingLogger;
  /** False once the consumer is being stopped. */
  readonly isWanted: () => boolean;
}

/**
 * Subscribes the consumer to `topics` (names with the prefix). Waits until they exist: the deployment creates them, and a service
 * may start first. A group without a position reads from the beginning, because starting at the end would skip records.
 */
export async function subscribe(
  consumer: Pick<Consumer, 'subscribe'>,
  topics: readonly string[],
  { isWanted, logger }: SubscribeOptions,
): Promise<void> {
  await retry(() => consumer.subscribe({ topics: [...topics], fromBeginning: true }), {
    isWanted,
    onFailure: (error, attempt) => {
      logger.warn({ err: error, topics, attempt }, 'Waiting for topics that are not there yet.');
    },
  });
}
