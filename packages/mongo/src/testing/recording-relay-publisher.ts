import type { TopicDefinition } from '@tocsin/events';
import type { StatePublisher } from '../relay-ports.ts';

/** A publisher for tests of the relays. It keeps its messages, and a test can delay it or make it fail. */
export class RecordingRelayPublisher implements StatePublisher {
  /** Every message in its order; `null` where a key was erased. */
  readonly log: { readonly key: string; readonly message: unknown }[] = [];
  /** Called before each publication. Where it throws, the publication fails with that error and keeps nothing. */
  before: (messages: readonly unknown[]) => Promise<void> = () => Promise.resolve();

  async publish<T>(topic: TopicDefinition<T>, messages: readonly T[]): Promise<void> {
    await this.before(messages);
    for (const message of messages) this.log.push({ key: topic.key(message), message });
  }

  async erase<T>(_topic: TopicDefinition<T>, keys: readonly string[]): Promise<void> {
    await this.before(keys);
    for (const key of keys) this.log.push({ key, message: null });
  }

  /** The last message of each key, which compaction keeps. */
  compacted(): ReadonlyMap<string, unknown> {
    return new Map(this.log.map(({ key, message }) => [key, message]));
  }
}
