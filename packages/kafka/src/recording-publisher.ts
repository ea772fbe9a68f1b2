import type { TopicDefinition } from '@tocsin/events';
import type { Publisher } from './ports.ts';

/** A published message, as it would be on its topic. */
export interface PublishedMessage {
  /** Without a prefix. */
  readonly topic: string;
  readonly key: string;
  /** As a consumer reads it; `null` where the key was erased. */
  readonly message: unknown;
}

/** A publisher for component tests, which records what it is given. */
export class RecordingPublisher implements Publisher {
  readonly published: PublishedMessage[] = [];
  #refusal: Error | undefined;

  /** From now on each publication fails with `error`, or succeeds again with `undefined`. */
  refuseWith(error: Error | undefined): void {
    this.#refusal = error;
  }

  publish<T>(topic: TopicDefinition<T>, messages: readonly T[]): Promise<void> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
    for (const message of messages)
      this.published.push({
        topic: topic.name,
        key: topic.key(message),
        message: JSON.parse(JSON.stringify(message)) as unknown,
      });
    return Promise.resolve();
  }

  erase<T>(topic: TopicDefinition<T>, keys: readonly string[]): Promise<void> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
    for (const key of keys) this.published.push({ topic: topic.name, key, message: null });
    return Promise.resolve();
  }
}
