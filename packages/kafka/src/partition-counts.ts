import type { NamedTopic } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import kafkajs, { type Admin } from 'kafkajs';
import type { KafkaConnection } from './kafka-connection.ts';

/** How many partitions each topic has. Each is read once, so that equal keys keep their partition when partitions are added. */
export class PartitionCounts {
  readonly #kafka: Pick<KafkaConnection, 'ask' | 'wireName'>;
  readonly #counts = new Map<string, number>();
  readonly #reading = new Map<string, Promise<number>>();

  constructor(kafka: Pick<KafkaConnection, 'ask' | 'wireName'>) {
    this.#kafka = kafka;
  }

  known(topic: NamedTopic): number | undefined {
    return this.#counts.get(topic.name);
  }

  /** @throws UnavailableError when the topic does not exist or no broker answers. */
  async load(topic: NamedTopic): Promise<number> {
    try {
      const count = await this.find(topic);
      if (count === 0) throw new Error(`There is no topic ${this.#kafka.wireName(topic)}.`);
      return count;
    } catch (error) {
      throw new UnavailableError('Kafka does not know the topic or does not answer.', { cause: error });
    }
  }

  /** 0 while there is no such topic. @throws Error when no broker answers. */
  async find(topic: NamedTopic): Promise<number> {
    const known = this.#counts.get(topic.name);
    if (known !== undefined) return known;
    let reading = this.#reading.get(topic.name);
    if (reading === undefined) {
      reading = this.#read(topic).finally(() => this.#reading.delete(topic.name));
      this.#reading.set(topic.name, reading);
    }
    return reading;
  }

  async #read(topic: NamedTopic): Promise<number> {
    const wireName = this.#kafka.wireName(topic);
    const count = await this.#kafka.ask((admin) => countIn(admin, wireName));
    if (count > 0) this.#counts.set(topic.name, count);
    return count;
  }
}

/** Asks for this topic alone: a request for all topics fails while any of them has a partition without a leader. */
async function countIn(admin: Admin, wireName: string): Promise<number> {
  try {
    const { topics } = await admin.fetchTopicMetadata({ topics: [wireName] });
    return topics.find(({ name }) => name === wireName)?.partitions.length ?? 0;
  } catch (error) {
    if (error instanceof kafkajs.KafkaJSProtocolError && error.type === 'UNKNOWN_TOPIC_OR_PARTITION') return 0;
    throw error;
  }
}
