import type { TopicDefinition } from '@tocsin/contracts';
import type { BatchHandler } from './ports.ts';

/** A topic and the handler of its records. */
export interface Subscription {
  readonly topic: Pick<TopicDefinition<unknown>, 'name' | 'schema' | 'version'>;
  readonly handler: BatchHandler<never>;
}

/** Pairs a topic with a handler of exactly its values, which a list of subscriptions can no longer check. */
export function subscription<T>(topic: TopicDefinition<T>, handler: BatchHandler<NoInfer<T>>): Subscription {
  return { topic, handler };
}
