import type { Checkpoint, CheckpointStore, StampAccount } from '@tocsin/contracts';
import type { Connection, mongo } from 'mongoose';
import { collectionOf } from './connection.ts';

export const CHECKPOINTS = 'checkpoints';

/** How a checkpoint lies in the database; `_id` is `topic/partition`. */
export interface CheckpointDocument {
  readonly _id: string;
  readonly offset: number;
  readonly clusterId: string;
  /** Its mark, which holds no word of an alert (A6); earlier versions wrote the key itself. */
  readonly lastKey: string | null;
  readonly lastTimestampMs: number;
  /** What the partition has brought, by the process that numbered it. */
  readonly stamps?: Readonly<Record<string, StampAccount>>;
}

export function checkpointId(topic: string, partition: number): string {
  return `${topic}/${String(partition)}`;
}

/** What one partition has brought, by the process that numbered it. */
export interface PartitionStamps {
  readonly partition: number;
  readonly stamps: Readonly<Record<string, StampAccount>>;
}

/**
 * The positions that a service's transactions have reached: what is read here is majority-committed, so no failover takes
 * it back. Moved on by {@link settleBatch} alone.
 */
export class MongoCheckpoints implements CheckpointStore {
  readonly #collection: mongo.Collection<CheckpointDocument>;

  constructor(connection: Connection) {
    this.#collection = collectionOf(connection, CHECKPOINTS);
  }

  async read(topic: string, partitions: readonly number[]): Promise<readonly Checkpoint[]> {
    const byId = new Map(partitions.map((partition) => [checkpointId(topic, partition), partition]));
    const found = await this.#collection
      .find({ _id: { $in: [...byId.keys()] } }, { readConcern: { level: 'majority' } })
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

  /** What each partition of `topic` has brought of each process that numbers what it writes. */
  async stamps(topic: string): Promise<readonly PartitionStamps[]> {
    const found = await this.#collection
      .find(
        { _id: { $gt: `${topic}/`, $lt: `${topic}0` } },
        { projection: { stamps: 1 }, readConcern: { level: 'majority' } },
      )
      .toArray();
    return found.map(({ _id, stamps = {} }) => ({ partition: Number(_id.slice(topic.length + 1)), stamps }));
  }

  /** Takes the account of a process out, if it is still `account`. */
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
