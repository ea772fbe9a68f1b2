import { setTimeout as pause } from 'node:timers/promises';
import {
  keyHash,
  type BatchResult,
  type CommittedBatch,
  type ConsumedBatch,
  type ConsumedRecord,
  type RecordTransactions,
} from '@tocsin/events';
import type { Connection, mongo } from 'mongoose';
import { CHECKPOINTS, checkpointId, type CheckpointDocument } from './checkpoints.ts';
import { collectionOf, type Session } from './connection.ts';
import { isDuplicateKey, isTransient, reasonOf } from './failures.ts';
import { receivedNumbersUpdate } from './received-numbers.ts';
import { inTransaction, type TransactionOptions } from './transaction.ts';

export interface CheckpointTransactionOptions {
  readonly connection: Connection;
  /** Real time; 5 s by default, because records that are not done delay every partition of their broker. */
  readonly deadlineMs?: number;
  /**
   * Unique indexes in which two partitions may insert the same key. The batch is tried again a few times before it is refused.
   */
  readonly racingIndexes?: readonly string[];
  readonly gate?: TransactionOptions['gate'];
  /**
   * Also a batch that begins below its checkpoint is answered with `seek`, and nothing of it is processed: what its caller has decided
   * holds only if no other process has moved the checkpoint.
   */
  readonly onlyAtCheckpoint?: boolean;
}

/**
 * Processes batches exactly once: their effects and the checkpoints of their partitions are one transaction, so a crash at any point
 * leaves all of them or none.
 *
 * Records below the checkpoint are skipped. A single batch that begins above it is answered with `seek`, unless the log itself begins
 * above it. A checkpoint of another cluster is never moved: the consumer finds out whether the topic is a new one. Never throws:
 * a transient error is `retry`, input that fails for ever is `refused`. Several batches are refused where one of
 * them does not begin at its checkpoint: each is then processed alone.
 */
export class CheckpointTransactions implements RecordTransactions<Session> {
  readonly #options: CheckpointTransactionOptions;

  constructor(options: CheckpointTransactionOptions) {
    this.#options = options;
  }

  async process<T, R>(
    batches: readonly ConsumedBatch<T>[],
    work: (session: Session, records: readonly ConsumedRecord<T>[]) => Promise<R>,
  ): Promise<BatchResult | CommittedBatch<R>> {
    const { connection, deadlineMs = 5_000, gate, onlyAtCheckpoint = false, racingIndexes = [] } = this.#options;
    for (let tries = 1; ; tries += 1) {
      try {
        const value = await inTransaction(
          connection,
          async (session) => work(session, await advance(batches, connection, { session, onlyAtCheckpoint })),
          { deadlineMs, gate },
        );
        return { outcome: 'done', value };
      } catch (error) {
        if (error instanceof Abort) return error.result;
        const raced = racingIndexes.some((index) => isDuplicateKey(error, index));
        if (!raced || tries === MAX_RACES) return transactionFailureResult(error);
        await pause(5 * 2 ** tries);
      }
    }
  }
}

/**
 * For effects that fold by id, of a consumer whose positions Kafka has: no transaction. A repeat has the same effects again, and
 * leaves the same state.
 */
export const idempotentWrites: RecordTransactions<undefined> = {
  process: (batches, work) =>
    work(
      undefined,
      batches.flatMap(({ records }) => records),
    ).then((value) => ({ outcome: 'done', value }), transactionFailureResult),
};

/** The next try reads what the other partition has written. A key that is a duplicate each time is the fault of the input. */
const MAX_RACES = 5;

const DONE: BatchResult = { outcome: 'done' };

const EACH_ALONE: BatchResult = {
  outcome: 'refused',
  reason: 'A batch among several does not begin where its partition stands.',
};

/** Aborts the transaction with this result. */
class Abort extends Error {
  readonly result: BatchResult;

  constructor(result: BatchResult) {
    super('Nothing of this batch was processed.');
    this.result = result;
  }
}

/**
 * Moves the checkpoints to the ends of the batches, and returns the records to process. The command that writes a checkpoint also
 * compares it, so two consumers of one partition conflict here, before `work` runs.
 */
async function advance<T>(
  batches: readonly ConsumedBatch<T>[],
  connection: Connection,
  { onlyAtCheckpoint, session }: { readonly session: Session; readonly onlyAtCheckpoint: boolean },
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
  if (before === null) return batch.records;
  const records = remaining(batch, before);
  if (onlyAtCheckpoint && records.length < batch.records.length)
    throw new Abort({ outcome: 'seek', offset: before.offset });
  if (records.length === 0) throw new Abort(DONE);
  return records;
}

/** Matches when the batch begins at its checkpoint, as nearly every one does. Then the checkpoint need not be read. */
function moveFromCheckpoint<T>(batch: ConsumedBatch<T>): mongo.AnyBulkWriteOperation<CheckpointDocument> {
  const { clusterId, topic, partition, records } = batch;
  const filter = { _id: checkpointId(topic, partition), clusterId, offset: records[0]?.offset ?? 0 };
  return { updateOne: { filter, update: moveTo(batch) } };
}

/** Also brings the received numbers up to date, which needs an update with expressions. */
function moveTo<T>(batch: ConsumedBatch<T>) {
  const position = positionAfter(batch);
  const received = receivedNumbersUpdate(batch.records);
  if (Object.keys(received).length === 0) return { $set: position };
  return [{ $set: { ...Object.fromEntries(Object.entries(position).map(asLiteral)), ...received } }];
}

const asLiteral = ([name, value]: readonly [string, unknown]) => [name, { $literal: value }] as const;

function positionAfter<T>({ clusterId, records }: ConsumedBatch<T>): Omit<CheckpointDocument, '_id' | 'received'> {
  const last = records.at(-1);
  return {
    offset: (last?.offset ?? -1) + 1,
    clusterId,
    lastKey: last?.key === undefined ? null : keyHash(last.key),
    lastTimestampMs: last?.timestampMs ?? 0,
  };
}

function remaining<T>(batch: ConsumedBatch<T>, checkpoint: CheckpointDocument): readonly ConsumedRecord<T>[] {
  if (checkpoint.clusterId !== batch.clusterId) {
    throw new Abort({ outcome: 'retry', reason: `The checkpoint belongs to cluster ${checkpoint.clusterId}.` });
  }
  const first = batch.records[0]?.offset ?? 0;
  const lost = batch.lostBefore !== undefined && batch.lostBefore > checkpoint.offset;
  if (first > checkpoint.offset && !lost) throw new Abort({ outcome: 'seek', offset: checkpoint.offset });
  return batch.records.filter((record) => record.offset >= checkpoint.offset);
}

/** The result of records whose processing failed: `retry` for a transient error, else `refused`. */
export function transactionFailureResult(error: unknown): BatchResult {
  const mayPass = isTransient(error) || isDuplicateKeyOfCheckpoint(error);
  return { outcome: mayPass ? 'retry' : 'refused', reason: reasonOf(error) };
}

/** Two consumers may try to insert the first checkpoint of a partition at the same time. */
function isDuplicateKeyOfCheckpoint(error: unknown): boolean {
  return isDuplicateKey(error, '_id_') && error instanceof Error && error.message.includes(`.${CHECKPOINTS} `);
}
