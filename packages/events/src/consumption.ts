import type { ProducerSequence } from './producer-sequences.ts';

/** One record of a topic as a consumer sees it. */
export interface ConsumedRecord<T> {
  /** Position in the partition, 0 or more. */
  readonly offset: number;
  readonly key: string | undefined;
  /** By the clock of the broker or of the producer, as its topic says; milliseconds since the epoch. */
  readonly timestampMs: number;
  /** It was appended over a minute after its caller got an error. */
  readonly late?: true;
  /** Of the attempt whose last record it is, where its publisher numbers what it writes. */
  readonly sequence?: ProducerSequence;
  readonly value: T;
}

/** Records of one partition, in order. The consumer leaves none out. Never empty. */
export interface ConsumedBatch<T> {
  /** The topic's own name, without the installation's prefix. */
  readonly topic: string;
  readonly partition: number;
  readonly clusterId: string;
  readonly records: readonly ConsumedRecord<T>[];
  /** Where records before these are gone that were never processed: the offset behind them. */
  readonly lostBefore?: number;
}

/** A record that fails for ever, with its place. Its dead letter is published. */
export interface FailedRecord<T = unknown> extends ConsumedRecord<T> {
  readonly topic: string;
  readonly partition: number;
  readonly clusterId: string;
}

/**
 * The result of a batch.
 *
 * - `done`: every record of it has its effects, now or earlier.
 * - `seek`: nothing was done; the position is elsewhere, go on at `offset`.
 * - `retry`: nothing was done for an internal cause (an outage, a conflict); the same batch later.
 * - `refused`: nothing was done, and the same input fails for ever; halve it until the record that fails is alone.
 */
export type BatchResult =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'seek'; readonly offset: number }
  | { readonly outcome: 'retry'; readonly reason: string }
  | { readonly outcome: 'refused'; readonly reason: string };

/** The result of a batch whose transaction was committed by the try in which `work` returned `value`. */
export interface CommittedBatch<R> {
  readonly outcome: 'done';
  /** Absent where `work` did not run in the try that ended as `done`: nothing was left to process. */
  readonly value?: R;
}

/**
 * Runs groups of records in transactions of `Tx`, each with the positions of its partitions. An interface, because what consumes
 * from Kafka imports no MongoDB.
 */
export interface RecordTransactions<Tx> {
  /**
   * Calls `work` in a transaction with the records of `batches` that are not processed yet, and moves the positions past all of
   * them. `work` runs again where the transaction has to be repeated, and does not run where nothing is left to process. Each batch is
   * of another partition. Several are `refused` where one of them fails for ever, or does not begin at its position: each has to be
   * processed alone then. Where the answer to the commit was lost, the result is `retry`, and the next call finds out whether it was
   * done.
   */
  process<T, R>(
    batches: readonly ConsumedBatch<T>[],
    work: (tx: Tx, records: readonly ConsumedRecord<T>[]) => Promise<R>,
  ): Promise<BatchResult | CommittedBatch<R>>;
}

/** How far a service has processed a partition: kept in the same transaction as the effects. */
export interface Checkpoint {
  readonly topic: string;
  readonly partition: number;
  /** The next offset to process. */
  readonly offset: number;
  readonly clusterId: string;
  /**
   * Key and timestamp of record `offset - 1`, by which a truncated or recreated log is recognised. A stored checkpoint has the
   * {@link keyHash} instead of the key.
   */
  readonly lastKey: string | undefined;
  readonly lastTimestampMs: number;
}

/**
 * What a consumer needs of the store that holds a service's checkpoints. An interface, because what consumes from Kafka imports no
 * MongoDB.
 */
export interface CheckpointStore {
  read(topic: string, partitions: readonly number[]): Promise<readonly Checkpoint[]>;
  /**
   * Moves the position to `offset` if it is still `checkpoint`, and keeps its last key and timestamp: a reader that verifies it
   * before it processes a record gets the same result.
   */
  goBack(checkpoint: Checkpoint, offset: number): Promise<void>;
  /** Removes the checkpoint if it is still `checkpoint`: the cluster is another one and is read from its beginning. */
  forget(checkpoint: Checkpoint): Promise<void>;
}

/**
 * A hash of a key by which it is recognised, without its text: eight hexadecimal digits (FNV-1a). A key may be text of an alert, which
 * must not stay once the alert is deleted (A6).
 */
export function keyHash(key: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
