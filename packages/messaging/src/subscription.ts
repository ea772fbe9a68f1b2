import type { TopicDefinition } from '@tocsin/contracts';
import type { BatchHandler } from './ports.ts';

/** A topic and who settles its records. */
export interface Subscription {
  readonly topic: Pick<TopicDefinition<unknown>, 'name' | 'schema' | 'version'>;
  readonly handler: BatchHandler<never>;
}

/** Joins a topic to a handler of exactly its values; a list of such pairs no longer knows which values they are. */
export function subscription<T>(topic: TopicDefinition<T>, handler: BatchHandler<NoInfer<T>>): Subscription {
  return { topic, handler };
}
