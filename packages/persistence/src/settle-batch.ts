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
  /** The effects of `records`, all through `session`; run again after a conflict. */
  readonly work: (session: Session, records: readonly ConsumedRecord<T>[]) => Promise<void>;
  /** Real time; 5 s by default, because a handler that holds its batch holds every partition of that broker. */
  readonly deadlineMs?: number;
  /** Unique indexes that two partitions may race for: their refusal means read again, a few times, before the input is bad. */
  readonly racingIndexes?: readonly string[];
  readonly gate?: TransactionOptions['gate'];
}

/**
 * Settles a batch exactly once: its effects and the partition's position are one transaction, so a crash at any point
 * leaves both or neither.
 *
 * Records below the checkpoint are skipped; a batch that begins above it is answered with `seek`, unless the log itself
 * begins above it by now. A position of another cluster is never moved: the consumer finds out whether the topic is a new
 * one. Never throws: trouble of ours is `retry`, input that fails for ever is `refused`.
 */
export function settleBatch<T>({ batch, ...options }: SettleBatch<T>): Promise<Settlement> {
  return settleBatches({ ...options, batches: [batch] });
}

/** What {@link settleBatches} needs: as {@link SettleBatch}, of several partitions. */
export interface SettleBatches<T> extends Omit<SettleBatch<T>, 'batch'> {
  /** At least one, each of another partition. */
  readonly batches: readonly ConsumedBatch<T>[];
}

/**
 * Settles batches of several partitions as {@link settleBatch} does one, in one transaction whose fixed cost they share: either
 * all of them are settled or none. Where one of several does not begin at its partition's position, or fails for ever, the
 * answer is `refused`: each is to be settled by itself then. So is the first batch that a partition ever has.
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
      if (error instanceof NotHere) return error.settlement;
      const raced = racingIndexes.some((index) => isDuplicateKey(error, index));
      if (!raced || tries === MOST_RACES) return failureOf(error);
      await pause(5 * 2 ** tries);
    }
  }
}

/** A try soon after reads what was lost to: a key that is in the way every time is the fault of the input. */
const MOST_RACES = 5;

const DONE: Settlement = { outcome: 'done' };

const EACH_BY_ITSELF: Settlement = {
  outcome: 'refused',
  reason: 'A batch among several does not begin where its partition stands.',
};

/**
 * Moves a partition past one record that fails for ever, in one transaction with what `work` writes down about it. As
 * {@link settleBatch} otherwise: a record that is below the checkpoint already is `done`, and `work` is not run.
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

/** Ends a transaction that must leave nothing behind, with its answer. */
class NotHere extends Error {
  readonly settlement: Settlement;

  constructor(settlement: Settlement) {
    super('Nothing of this batch was settled.');
    this.settlement = settlement;
  }
}

/**
 * Moves the checkpoints to the ends of the batches and answers which records are still to do. The command that writes a
 * position also compares it, so two consumers of one partition collide here, before either has worked.
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
    throw new NotHere(isAlone ? DONE : EACH_BY_ITSELF);
  const moved = await checkpoints.bulkWrite(batches.map(moveFromItsPlace), { session });
  if (moved.matchedCount === batches.length) return batches.flatMap(({ records }) => records);
  if (!isAlone) throw new NotHere(EACH_BY_ITSELF);
  const before = await checkpoints.findOneAndUpdate(
    { _id: checkpointId(batch.topic, batch.partition) },
    moveTo(batch),
    { session, upsert: true, returnDocument: 'before' },
  );
  return before === null ? batch.records : remaining(batch, before);
}

/** As nearly every batch is: it begins where its partition stands, and nothing of the position has to be read. */
function moveFromItsPlace<T>(batch: ConsumedBatch<T>): mongo.AnyBulkWriteOperation<CheckpointDocument> {
  const { clusterId, topic, partition, records } = batch;
  const filter = { _id: checkpointId(topic, partition), clusterId, offset: records[0]?.offset ?? 0 };
  return { updateOne: { filter, update: moveTo(batch) } };
}

/** An update by expressions where records have stamps: what a partition has brought is written with how far it was read. */
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
    throw new NotHere({ outcome: 'retry', reason: `The checkpoint belongs to cluster ${checkpoint.clusterId}.` });
  }
  const first = batch.records[0]?.offset ?? 0;
  const lost = batch.logStart !== undefined && batch.logStart > checkpoint.offset;
  if (first > checkpoint.offset && !lost) throw new NotHere({ outcome: 'seek', offset: checkpoint.offset });
  const records = batch.records.filter((record) => record.offset >= checkpoint.offset);
  if (records.length === 0) throw new NotHere(DONE);
  return records;
}

/** What an error of a settlement means for its records: trouble that may pass is `retry`, what fails for ever `refused`. */
export function failureOf(error: unknown): Settlement {
  const mayPass = isTransient(error) || isDuplicateKeyOfCheckpoint(error);
  return { outcome: mayPass ? 'retry' : 'refused', reason: reasonOf(error) };
}

/** Two first batches of one partition may both try to make its checkpoint. */
function isDuplicateKeyOfCheckpoint(error: unknown): boolean {
  return isDuplicateKey(error, '_id_') && error instanceof Error && error.message.includes(`.${CHECKPOINTS} `);
}
