import type { Checkpoint, CheckpointStore, StampAccount } from '@tocsin/contracts';
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
  /** Which stamped numbers the partition has brought, by instance. */
  readonly stamps?: Readonly<Record<string, StampAccount>>;
}

export function checkpointId(topic: string, partition: number): string {
  return `${topic}/${String(partition)}`;
}

/** Which stamped numbers one partition has brought, by instance. */
export interface PartitionStamps {
  readonly partition: number;
  readonly stamps: Readonly<Record<string, StampAccount>>;
}

/**
 * The positions of a service's consumer. {@link settleBatch} moves them, in the transaction of the effects. Reads are
 * majority-committed, so no failover takes back what they return.
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
        { projection: { stamps: 0 }, readConcern: { level: 'majority' } },
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

  /** Which stamped numbers each partition of `topic` has brought. */
  async stamps(topic: string): Promise<readonly PartitionStamps[]> {
    const found = await this.#collection
      .find(
        { _id: { $gt: `${topic}/`, $lt: `${topic}0` } },
        { projection: { stamps: 1 }, readConcern: { level: 'majority' } },
      )
      .toArray();
    return found.map(({ _id, stamps = {} }) => ({ partition: Number(_id.slice(topic.length + 1)), stamps }));
  }

  /** Removes the account of an instance, if it is still `account`. Returns whether it was. */
  async forgetStamps(topic: string, partition: number, instance: string, account: StampAccount): Promise<boolean> {
    const { modifiedCount } = await this.#collection.updateOne(
      { _id: checkpointId(topic, partition), [`stamps.${instance}.through`]: account.through },
      { $unset: { [`stamps.${instance}`]: true } },
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
