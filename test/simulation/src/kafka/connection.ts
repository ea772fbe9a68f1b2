import { KafkaConnection, type GroupOptions, type MessagingLogger } from '@tocsin/kafka';
// Node finds the error classes of kafkajs only on its default export.
import kafkajs, { type Admin, type Consumer, type Producer, type ProducerRecord, type RecordMetadata } from 'kafkajs';
import { LostError, type NetworkLink } from '../network.ts';
import { MemoryConsumer } from './consumer.ts';
import type { MemoryLog } from './log.ts';
import type { MemoryKafka } from './memory-kafka.ts';

const CLUSTER_ID = 'memory';
/** After a lost answer kafkajs sends a request again; once in so many it gives up instead. */
const GIVES_UP_ONCE_IN = 3;
const MAX_PAUSE_MS = 200;

/**
 * The Kafka clients of a simulated process. They have the part of the interfaces of kafkajs that `packages/kafka` uses, and send their
 * requests to a cluster in memory. So consumers, publishers and replicas are those of production.
 */
export class MemoryKafkaConnection extends KafkaConnection {
  readonly #link: NetworkLink;
  readonly #kafka: MemoryKafka;

  constructor(link: NetworkLink, kafka: MemoryKafka, logger: MessagingLogger) {
    super({ brokers: ['127.0.0.1:9092'], clientId: link.client.name, topicPrefix: '', logger });
    this.#link = link;
    this.#kafka = kafka;
  }

  override producer(): Producer {
    return new MemoryProducer(this.#link, this.#kafka.log) as Pick<
      Producer,
      'connect' | 'send' | 'disconnect'
    > as Producer;
  }

  override consumer({
    groupId,
    isSoleMember = false,
    sessionTimeoutMs = isSoleMember ? 30_000 : 6_000,
  }: GroupOptions): Consumer {
    const consumer = new MemoryConsumer({
      link: this.#link,
      kafka: this.#kafka,
      groupId,
      sessionTimeoutMs,
      isSoleMember,
    });
    return consumer as Partial<Consumer> as Consumer;
  }

  override ask<T>(request: (admin: Admin) => Promise<T>): Promise<T> {
    return request(this.#admin() as Partial<Admin> as Admin);
  }

  #admin(): Pick<
    Admin,
    'describeCluster' | 'fetchOffsets' | 'fetchTopicMetadata' | 'fetchTopicOffsets' | 'fetchTopicOffsetsByTimestamp'
  > {
    const { groups, log } = this.#kafka;
    const send = <R>(name: string, execute: () => R): Promise<R> => this.#link.send(`a question for ${name}`, execute);
    return {
      describeCluster: () =>
        send('the cluster', () => ({
          clusterId: CLUSTER_ID,
          controller: 0,
          brokers: [{ nodeId: 0, host: 'memory', port: 0 }],
        })),
      fetchTopicMetadata: ({ topics: names } = { topics: [] }) =>
        send('partitions', () => ({
          topics: names.map((name) => ({ name, partitions: metadataOf(log.partitionsOf(name)) })),
        })),
      fetchTopicOffsets: (topic) =>
        send(`the bounds of ${topic}`, () =>
          log.bounds(topic).map(({ high, low, partition }) => ({
            partition,
            offset: String(high),
            low: String(low),
            high: String(high),
          })),
        ),
      fetchTopicOffsetsByTimestamp: (topic, timestampMs = 0) =>
        send(`offsets of ${topic}`, () =>
          log.firstSince(topic, timestampMs).map(({ offset, partition }) => ({ partition, offset: String(offset) })),
        ),
      fetchOffsets: ({ groupId, topics = [] }) =>
        send(`positions of ${groupId}`, () =>
          topics.map((topic) => ({
            topic,
            partitions: Array.from({ length: log.partitionsOf(topic) }, (_, partition) => ({
              partition,
              offset: groups.committed(groupId, topic, partition)?.offset ?? '-1',
              metadata: groups.committed(groupId, topic, partition)?.metadata ?? null,
            })),
          })),
        ),
    };
  }
}

const metadataOf = (partitions: number) =>
  Array.from({ length: partitions }, (_, partitionId) => ({
    partitionId,
    partitionErrorCode: 0,
    leader: 0,
    replicas: [0],
    isr: [0],
    offlineReplicas: [],
  }));

/** An idempotent producer with one request in flight. */
class MemoryProducer {
  readonly #link: NetworkLink;
  readonly #log: MemoryLog;
  #producerId = 0;
  #sequence = 0;

  constructor(link: NetworkLink, log: MemoryLog) {
    this.#link = link;
    this.#log = log;
  }

  async connect(): Promise<void> {
    try {
      this.#producerId = await this.#link.send('a question for a producer id', () => this.#log.newProducerId());
    } catch (error) {
      throw new kafkajs.KafkaJSConnectionError(String(error));
    }
  }

  /**
   * Appended once, however often it is sent again. Where it throws, the messages may be appended. Then the next request has the same
   * number, as with kafkajs.
   */
  async send({ messages, topic }: ProducerRecord): Promise<RecordMetadata[]> {
    const { client } = this.#link;
    const request = { producerId: this.#producerId, sequence: this.#sequence + 1, topic, messages };
    for (;;) {
      try {
        const answer = await this.#link.send(`${messages.length} to ${topic}`, () => this.#log.append(request));
        this.#sequence += 1;
        return answer;
      } catch (error) {
        if (!(error instanceof LostError) || client.scheduler.choose('gives up', GIVES_UP_ONCE_IN) === 0) throw error;
        await client.sleep(client.scheduler.choose('pause of a producer', MAX_PAUSE_MS));
      }
    }
  }

  disconnect(): Promise<void> {
    return Promise.resolve();
  }
}
