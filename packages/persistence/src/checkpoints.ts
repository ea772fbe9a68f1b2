import type { Checkpoint, CheckpointStore } from '@tocsin/contracts';
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
}

export function checkpointId(topic: string, partition: number): string {
  return `${topic}/${String(partition)}`;
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

  async goBack({ topic, partition, offset: from, clusterId }: Checkpoint, offset: number): Promise<void> {
    const still = { _id: checkpointId(topic, partition), offset: from, clusterId };
    await this.#collection.updateOne(still, { $set: { offset } });
  }

  async forget(checkpoint: Checkpoint): Promise<void> {
    const { topic, partition, offset, clusterId } = checkpoint;
    await this.#collection.deleteOne({ _id: checkpointId(topic, partition), offset, clusterId });
  }
}
