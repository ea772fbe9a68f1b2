import type { Checkpoint, CheckpointStore, TopicDefinition } from '@tocsin/contracts';
import type { Expectation } from './expectation.ts';
import type { KafkaConnection } from './kafka-connection.ts';
import type { MessagingLogger } from './logger.ts';

/** Where a group goes on reading. */
export interface Positions {
  /** What to expect of each of `partitions`, all of them. @throws whatever keeps the store from answering. */
  read(
    topic: Pick<TopicDefinition<never>, 'name'>,
    partitions: readonly number[],
    clusterId: string,
  ): Promise<ReadonlyMap<number, Expectation>>;
  /** The topic of `checkpoint` is no more. */
  forget(checkpoint: Checkpoint): Promise<void>;
}

/** Positions that a service keeps with its effects: a record before them says whether they still mean this topic. */
export class CheckpointPositions implements Positions {
  readonly #store: CheckpointStore;
  readonly #logger: MessagingLogger;

  constructor(store: CheckpointStore, logger: MessagingLogger) {
    this.#store = store;
    this.#logger = logger;
  }

  async read(
    { name }: Pick<TopicDefinition<never>, 'name'>,
    partitions: readonly number[],
    clusterId: string,
  ): Promise<ReadonlyMap<number, Expectation>> {
    const found = new Map<number, Expectation>(partitions.map((partition) => [partition, { kind: 'beginning' }]));
    for (const checkpoint of await this.#store.read(name, partitions)) {
      if (checkpoint.clusterId !== clusterId) {
        this.#logger.error({ checkpoint, clusterId }, 'This is another cluster; reading the topic from its beginning.');
        await this.#store.forget(checkpoint);
      } else if (checkpoint.offset > 0) found.set(checkpoint.partition, { kind: 'verify', checkpoint });
    }
    return found;
  }

  forget(checkpoint: Checkpoint): Promise<void> {
    return this.#store.forget(checkpoint);
  }
}

/** Positions that Kafka keeps for the group: for services whose effects fold however often a record comes. */
export class CommittedPositions implements Positions {
  readonly #kafka: Pick<KafkaConnection, 'ask' | 'wireName'>;
  readonly #groupId: string;

  constructor(kafka: Pick<KafkaConnection, 'ask' | 'wireName'>, groupId: string) {
    this.#kafka = kafka;
    this.#groupId = groupId;
  }

  async read(
    topic: Pick<TopicDefinition<never>, 'name'>,
    partitions: readonly number[],
  ): Promise<ReadonlyMap<number, Expectation>> {
    const topics = [this.#kafka.wireName(topic)];
    const answer = await this.#kafka.ask((admin) => admin.fetchOffsets({ groupId: this.#groupId, topics }));
    const committed = new Map(answer.flatMap((entry) => entry.partitions).map((p) => [p.partition, Number(p.offset)]));
    return new Map(
      partitions.map((partition) => {
        const offset = committed.get(partition) ?? -1;
        return [partition, offset < 0 ? { kind: 'beginning' } : { kind: 'at', offset }];
      }),
    );
  }

  forget(): Promise<void> {
    return Promise.resolve();
  }
}
