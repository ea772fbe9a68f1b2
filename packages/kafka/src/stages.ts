import type {
  BatchResult,
  ConsumedBatch,
  ConsumedRecord,
  FailedRecord,
  RecordTransactions,
  TopicDefinition,
} from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import type { BatchProcessor } from './ports.ts';
import type { GroupBounds } from './record-groups.ts';
import { subscription, type Subscription } from './subscribe.ts';

/**
 * The stages that process the records of one topic, in the order in which they run. `Tx` is the transaction of the database, which also
 * moves the positions of the partitions. All stages of a group of records run, or none of them has an effect.
 *
 * After a transient error of a stage (an engine is unavailable, a conflict) the same records are tried again, without a limit. After a
 * permanent error the group is halved until the record that causes it is alone. In the transaction every other error is permanent;
 * before it only a defect (`isDefect`) or an `AppError` that is not retryable.
 */
export interface Stages<T, Tx, Prepared, Known, Changes extends NoPromise> {
  /**
   * Fetches what the decision needs from outside the database, such as unknown users. It runs once before the transaction, also where that
   * is repeated. A group that is halved or tried again is prepared again. Some records of the group may be processed already, so a second
   * run must have no other effect than the first.
   */
  readonly prepare?: (records: readonly ConsumedRecord<T>[]) => Promise<Prepared>;
  /** Reads what the decision needs, in the transaction. `attempt` is 1, and more in a repeat of the transaction. */
  readonly read: (tx: Tx, records: readonly ConsumedRecord<T>[], prepared: Prepared, attempt: number) => Promise<Known>;
  /** Pure: no reading, no writing, no clock. A repeat of the transaction decides anew. */
  readonly decide: (known: Known, records: readonly ConsumedRecord<T>[], prepared: Prepared) => Changes;
  /** Writes the changes in the transaction, messages to the outbox last. */
  readonly write: (tx: Tx, changes: Changes) => Promise<void>;
  /** Writes what users read about a record that fails for ever, after its dead letter is published. It may run again. */
  readonly deadLetter?: (tx: Tx, record: FailedRecord<T>, reason: string) => Promise<void>;
  /**
   * Measures and logs the committed changes, once, after the commit. It does not run where the process dies first, or where the answer to
   * the commit was lost and a later read finds that the records are processed.
   */
  readonly committed?: (changes: Changes, records: readonly ConsumedRecord<T>[]) => void;
  /** Gives back what `prepare` reserved, whether or not the transaction was committed. */
  readonly release?: (prepared: Prepared) => void;
}

/**
 * Thrown by `prepare` where its records take too long together. Then each of several partitions is processed alone, and of one
 * partition fewer records are processed together.
 */
export class TooMuchTogetherError extends Error {}

/** A decision is finished when it is returned. */
type NoPromise = object & { readonly then?: never };

/** Consumes `topic`: each group of its records passes the stages in one transaction. */
export function consume<T, Tx, Prepared, Known, Changes extends NoPromise>(
  topic: TopicDefinition<T>,
  stages: Stages<NoInfer<T>, Tx, Prepared, Known, Changes>,
  transactions: RecordTransactions<NoInfer<Tx>>,
  groups?: GroupBounds,
): Subscription {
  return subscription<T>(topic, new StagedProcessor(stages, transactions), groups);
}

/** Runs the stages of a topic. */
export class StagedProcessor<T, Tx, Prepared, Known, Changes extends NoPromise> implements BatchProcessor<T> {
  readonly #stages: Stages<T, Tx, Prepared, Known, Changes>;
  readonly #transactions: RecordTransactions<Tx>;

  constructor(stages: Stages<T, Tx, Prepared, Known, Changes>, transactions: RecordTransactions<Tx>) {
    this.#stages = stages;
    this.#transactions = transactions;
  }

  async process(batches: readonly ConsumedBatch<T>[]): Promise<BatchResult> {
    let prepared: Prepared;
    try {
      // Without `prepare` nothing else can be its result.
      prepared = (await this.#stages.prepare?.(batches.flatMap(({ records }) => records))) as Prepared;
    } catch (error) {
      if (error instanceof UnavailableError) return { outcome: 'retry', reason: error.message };
      if (!(error instanceof TooMuchTogetherError)) throw error;
      return { outcome: batches.length > 1 ? 'refused' : 'retry', reason: error.message };
    }
    return this.#process(batches, prepared);
  }

  async #process(batches: readonly ConsumedBatch<T>[], prepared: Prepared): Promise<BatchResult> {
    const { committed, decide, read, release, write } = this.#stages;
    let attempt = 0;
    try {
      const result = await this.#transactions.process(batches, async (tx, records) => {
        attempt += 1;
        const known = await read(tx, records, prepared, attempt);
        const changes = decide(known, records, prepared);
        await write(tx, changes);
        return { changes, records };
      });
      if (result.outcome !== 'done') return result;
      if ('value' in result) committed?.(result.value.changes, result.value.records);
      return { outcome: 'done' };
    } finally {
      release?.(prepared);
    }
  }

  deadLetter(record: FailedRecord<T | undefined>, reason: string): Promise<BatchResult> {
    const { deadLetter } = this.#stages;
    const { topic, partition, clusterId } = record;
    const batch = { topic, partition, clusterId, records: [record] };
    return this.#transactions.process([batch], async (tx) => {
      if (isReadable(record)) await deadLetter?.(tx, record, reason);
    });
  }
}

function isReadable<T>(record: FailedRecord<T | undefined>): record is FailedRecord<T> {
  return record.value !== undefined;
}
