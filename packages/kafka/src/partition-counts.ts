import type { NamedTopic } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import type { KafkaConnection } from './kafka-connection.ts';

/**
 * How many partitions each topic has. Read once per process, so that equal keys keep their partition when partitions are added.
 */
export class PartitionCounts {
  readonly #kafka: Pick<KafkaConnection, 'ask' | 'wireName'>;
  readonly #counts = new Map<string, number>();
  readonly #loading = new Map<string, Promise<number>>();

  constructor(kafka: Pick<KafkaConnection, 'ask' | 'wireName'>) {
    this.#kafka = kafka;
  }

  known(topic: NamedTopic): number | undefined {
    return this.#counts.get(topic.name);
  }

  /** @throws UnavailableError when the topic does not exist or no broker answers. */
  async load(topic: NamedTopic): Promise<number> {
    const known = this.#counts.get(topic.name);
    if (known !== undefined) return known;
    let loading = this.#loading.get(topic.name);
    if (loading === undefined) {
      loading = this.#read(topic).finally(() => this.#loading.delete(topic.name));
      this.#loading.set(topic.name, loading);
    }
    return loading;
  }

  async #read(topic: NamedTopic): Promise<number> {
    const wireName = this.#kafka.wireName(topic);
    try {
      const { topics } = await this.#kafka.ask((admin) => admin.fetchTopicMetadata({ topics: [wireName] }));
      const count = topics.find(({ name }) => name === wireName)?.partitions.length ?? 0;
      if (count === 0) throw new Error(`${wireName} has no partitions.`);
      this.#counts.set(topic.name, count);
      return count;
    } catch (error) {
      throw new UnavailableError('Kafka does not know the topic or does not answer.', { cause: error });
    }
  }
}
