import { setTimeout as pause } from 'node:timers/promises';
import {
  keyMark,
  type BuriedRecord,
  type ConsumedBatch,
  type ConsumedRecord,
  type Settlement,
} from '@tocsin/contracts';
import type { Connection, mongo } from 'mongoose';
import { CHECKPOINTS, checkpointId, type CheckpointDocument } from './checkpoints.ts';
import { collectionOf, type Session } from './connection.ts';
import { isDuplicateKey, isTransient, reasonOf } from './failures.ts';
import { notingStamps } from './stamp-accounts.ts';
import { inTransaction, type TransactionOptions } from './transaction.ts';

/** What {@link settleBatch} needs. */
export interface SettleBatch<T> {
  readonly connection: Connection;
  readonly batch: ConsumedBatch<T>;
  /** Writes the effects of `records`, all through `session`. Runs again after a conflict. */
  readonly work: (session: Session, records: readonly ConsumedRecord<T>[]) => Promise<void>;
  /** Real time; 5 s by default, because a handler that is not done delays every partition of that broker. */
  readonly deadlineMs?: number;
  /**
   * Unique indexes in which two partitions may insert the same key. The batch is tried again a few times before it is refused.
   */
  readonly racingIndexes?: readonly string[];
  readonly gate?: TransactionOptions['gate'];
}

/**
 * Settles a batch exactly once: its effects and the partition's checkpoint are one transaction, so a crash at any point leaves
 * both or neither.
 *
 * Records below the checkpoint are skipped. A batch that begins above it is answered with `seek`, unless the log itself begins
 * above it. A checkpoint of another cluster is never moved: the consumer finds out whether the topic is a new one. Never throws:
 * a transient error is `retry`, input that fails for ever is `refused`.
 */
export function settleBatch<T>({ batch, ...options }: SettleBatch<T>): Promise<Settlement> {
  return settleBatches({ ...options, batches: [batch] });
}

/** As {@link SettleBatch}, for batches of several partitions. */
export interface SettleBatches<T> extends Omit<SettleBatch<T>, 'batch'> {
  /** At least one, each of another partition. */
  readonly batches: readonly ConsumedBatch<T>[];
}

/**
 * As {@link settleBatch}, for batches of several partitions in one transaction, which saves its fixed cost. All are settled or
 * none. Several batches are `refused` when one of them fails for ever, does not begin at its checkpoint, or is the first of its
 * partition: then the caller has to settle each alone.
 */
export async function settleBatches<T>(options: SettleBatches<T>): Promise<Settlement> {
  const { batches, connection, work, deadlineMs = 5_000, gate, racingIndexes = [] } = options;
  for (let tries = 1; ; tries += 1) {
    try {
      await inTransaction(
        connection,
        async (session) => {
          await work(session, await advance(batches, connection, session));
        },
        { deadlineMs, gate },
      );
      return DONE;
    } catch (error) {
      if (error instanceof Abort) return error.settlement;
      const raced = racingIndexes.some((index) => isDuplicateKey(error, index));
      if (!raced || tries === MOST_RACES) return failureOf(error);
      await pause(5 * 2 ** tries);
    }
  }
}

/** The next try reads what the other partition has written. A key that is a duplicate each time is the fault of the input. */
const MOST_RACES = 5;

const DONE: Settlement = { outcome: 'done' };

const EACH_ALONE: Settlement = {
  outcome: 'refused',
  reason: 'A batch among several does not begin where its partition stands.',
};

/**
 * Moves the checkpoint past one record that fails for ever, in one transaction with what `work` writes about it. Otherwise as
 * {@link settleBatch}: for a record below the checkpoint the answer is `done`, and `work` does not run.
 */
export async function buryRecord(options: {
  readonly connection: Connection;
  readonly record: BuriedRecord;
  readonly work: (session: Session) => Promise<void>;
}): Promise<Settlement> {
  const { connection, record, work } = options;
  const { topic, partition, clusterId } = record;
  return settleBatch({ connection, batch: { topic, partition, clusterId, records: [record] }, work });
}

/** Aborts the transaction with this settlement. */
class Abort extends Error {
  readonly settlement: Settlement;

  constructor(settlement: Settlement) {
    super('Nothing of this batch was settled.');
    this.settlement = settlement;
  }
}

/**
 * Moves the checkpoints to the ends of the batches, and returns the records to settle. The command that writes a checkpoint also
 * compares it, so two consumers of one partition conflict here, before `work` runs.
 */
async function advance<T>(
  batches: readonly ConsumedBatch<T>[],
  connection: Connection,
  session: Session,
): Promise<readonly ConsumedRecord<T>[]> {
  const checkpoints = collectionOf<CheckpointDocument>(connection, CHECKPOINTS);
  const [batch, ...others] = batches;
  const isAlone = others.length === 0;
  if (batch === undefined || batches.some(({ records }) => records.length === 0))
    throw new Abort(isAlone ? DONE : EACH_ALONE);
  const moved = await checkpoints.bulkWrite(batches.map(moveFromCheckpoint), { session });
  if (moved.matchedCount === batches.length) return batches.flatMap(({ records }) => records);
  if (!isAlone) throw new Abort(EACH_ALONE);
  const before = await checkpoints.findOneAndUpdate(
    { _id: checkpointId(batch.topic, batch.partition) },
    moveTo(batch),
    { session, upsert: true, returnDocument: 'before' },
  );
  return before === null ? batch.records : remaining(batch, before);
}

/** Matches when the batch begins at its checkpoint, as nearly every one does. Then the checkpoint need not be read. */
function moveFromCheckpoint<T>(batch: ConsumedBatch<T>): mongo.AnyBulkWriteOperation<CheckpointDocument> {
  const { clusterId, topic, partition, records } = batch;
  const filter = { _id: checkpointId(topic, partition), clusterId, offset: records[0]?.offset ?? 0 };
  return { updateOne: { filter, update: moveTo(batch) } };
}

/** Also brings the accounts of stamps up to date, which needs an update with expressions. */
function moveTo<T>(batch: ConsumedBatch<T>) {
  const position = positionAfter(batch);
  const stamps = notingStamps(batch.records);
  if (Object.keys(stamps).length === 0) return { $set: position };
  return [{ $set: { ...Object.fromEntries(Object.entries(position).map(asLiteral)), ...stamps } }];
}

const asLiteral = ([name, value]: readonly [string, unknown]) => [name, { $literal: value }] as const;

function positionAfter<T>({ clusterId, records }: ConsumedBatch<T>): Omit<CheckpointDocument, '_id' | 'stamps'> {
  const last = records.at(-1);
  return {
    offset: (last?.offset ?? -1) + 1,
    clusterId,
    lastKey: last?.key === undefined ? null : keyMark(last.key),
    lastTimestampMs: last?.timestampMs ?? 0,
  };
}

function remaining<T>(batch: ConsumedBatch<T>, checkpoint: CheckpointDocument): readonly ConsumedRecord<T>[] {
  if (checkpoint.clusterId !== batch.clusterId) {
    throw new Abort({ outcome: 'retry', reason: `The checkpoint belongs to cluster ${checkpoint.clusterId}.` });
  }
  const first = batch.records[0]?.offset ?? 0;
  const lost = batch.logStart !== undefined && batch.logStart > checkpoint.offset;
  if (first > checkpoint.offset && !lost) throw new Abort({ outcome: 'seek', offset: checkpoint.offset });
  const records = batch.records.filter((record) => record.offset >= checkpoint.offset);
  if (records.length === 0) throw new Abort(DONE);
  return records;
}

/** The settlement of records whose settling failed: `retry` for a transient error, else `refused`. */
export function failureOf(error: unknown): Settlement {
  const mayPass = isTransient(error) || isDuplicateKeyOfCheckpoint(error);
  return { outcome: mayPass ? 'retry' : 'refused', reason: reasonOf(error) };
}

/** Two consumers may try to insert the first checkpoint of a partition at the same time. */
function isDuplicateKeyOfCheckpoint(error: unknown): boolean {
  return isDuplicateKey(error, '_id_') && error instanceof Error && error.message.includes(`.${CHECKPOINTS} `);
}
