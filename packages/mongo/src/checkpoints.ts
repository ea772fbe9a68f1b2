import type { Checkpoint, CheckpointStore, ReceivedNumbers } from '@tocsin/events';
import type { Connection, mongo } from 'mongoose';
import { collectionOf } from './connection.ts';

export const CHECKPOINTS = 'checkpoints';

export interface CheckpointDocument {
  /** `topic/partition`. */
  readonly _id: string;
  readonly offset: number;
  readonly clusterId: string;
  /** A hash of the key, so that no text of an alert is stored here (A6). */
  readonly lastKey: string | null;
  readonly lastTimestampMs: number;
  /** The numbers that were met in the partition, by instance. */
  readonly received?: Readonly<Record<string, ReceivedNumbers>>;
}

export function checkpointId(topic: string, partition: number): string {
  return `${topic}/${String(partition)}`;
}

/** The numbers that were met in one partition, by instance. */
export interface PartitionNumbers {
  readonly partition: number;
  readonly received: Readonly<Record<string, ReceivedNumbers>>;
}

/**
 * The positions of a service's consumer. {@link CheckpointTransactions} moves them, in the transaction of the effects. Reads are
 * majority-committed, so no failover takes back their results.
 */
export class MongoCheckpoints implements CheckpointStore {
  readonly #collection: mongo.Collection<CheckpointDocument>;

  constructor(connection: Connection) {
    this.#collection = collectionOf(connection, CHECKPOINTS);
  }

  async read(topic: string, partitions: readonly number[]): Promise<readonly Checkpoint[]> {
    const byId = new Map(partitions.map((partition) => [checkpointId(topic, partition), partition]));
    const found = await this.#collection
      .find(
        { _id: { $in: [...byId.keys()] } },
        // Those of many instances have a hundred kilobytes, and readers of alerts ask for positions many times a second.
        { projection: { received: 0 }, readConcern: { level: 'majority' } },
      )
      .toArray();
    return found.map((document) => ({
      topic,
      partition: byId.get(document._id) ?? 0,
      offset: document.offset,
      clusterId: document.clusterId,
      lastKey: document.lastKey ?? undefined,
      lastTimestampMs: document.lastTimestampMs,
    }));
  }

  /** The numbers that were met in each partition of `topic`. */
  async received(topic: string): Promise<readonly PartitionNumbers[]> {
    const found = await this.#collection
      .find(
        { _id: { $gt: `${topic}/`, $lt: `${topic}0` } },
        { projection: { received: 1 }, readConcern: { level: 'majority' } },
      )
      .toArray();
    return found.map(({ _id, received = {} }) => ({ partition: Number(_id.slice(topic.length + 1)), received }));
  }

  /** Removes the received numbers of an instance, if they are still `received`. Returns whether they were. */
  async forgetReceived(
    topic: string,
    partition: number,
    instance: string,
    received: ReceivedNumbers,
  ): Promise<boolean> {
    const { modifiedCount } = await this.#collection.updateOne(
      { _id: checkpointId(topic, partition), [`received.${instance}.through`]: received.through },
      { $unset: { [`received.${instance}`]: true } },
    );
    return modifiedCount === 1;
  }

  async goBack({ topic, partition, offset: from, clusterId }: Checkpoint, offset: number): Promise<void> {
    const still = { _id: checkpointId(topic, partition), offset: from, clusterId };
    await this.#collection.updateOne(still, { $set: { offset } });
  }

  async forget(checkpoint: Checkpoint): Promise<void> {
    const { topic, partition, offset, clusterId } = checkpoint;
    await this.#collection.deleteOne({ _id: checkpointId(topic, partition), offset, clusterId });
  }
}
