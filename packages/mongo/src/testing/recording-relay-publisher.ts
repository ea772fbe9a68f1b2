import type { TopicDefinition } from '@tocsin/events';
import type { StatePublisher } from '../relay-ports.ts';

/** A publisher that keeps what it is given and can be held up or made to fail: for the tests of the relays. */
export class RecordingRelayPublisher implements StatePublisher {
  /** Every message in its order; `null` where a key was erased. */
  readonly log: { readonly key: string; readonly message: unknown }[] = [];
  /** Called before each publication; what it throws is the publication's failure, and nothing is kept then. */
  before: (messages: readonly unknown[]) => Promise<void> = () => Promise.resolve();

  async publish<T>(topic: TopicDefinition<T>, messages: readonly T[]): Promise<void> {
    await this.before(messages);
    for (const message of messages) this.log.push({ key: topic.key(message), message });
  }

  async erase<T>(_topic: TopicDefinition<T>, keys: readonly string[]): Promise<void> {
    await this.before(keys);
    for (const key of keys) this.log.push({ key, message: null });
  }

  /** The last message of each key: what compaction keeps. */
  compacted(): ReadonlyMap<string, unknown> {
    return new Map(this.log.map(({ key, message }) => [key, message]));
  }
}
