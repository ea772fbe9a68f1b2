import type { Stamp } from './stamps.ts';

/** One record of a topic as a consumer sees it. */
export interface ConsumedRecord<T> {
  /** Position in the partition, 0 or more. */
  readonly offset: number;
  readonly key: string | undefined;
  /** When the broker or the producer stamped it, milliseconds since the epoch. */
  readonly timestampMs: number;
  /** It was appended long after its caller had an error as the answer. */
  readonly late?: true;
  /** Of the attempt whose last record it is, where its publisher numbers what it writes. */
  readonly stamp?: Stamp;
  readonly value: T;
}

/** Records of one partition, in order and without a hole of the consumer's making. Never empty. */
export interface ConsumedBatch<T> {
  /** The topic's own name, without the installation's prefix. */
  readonly topic: string;
  readonly partition: number;
  readonly clusterId: string;
  readonly records: readonly ConsumedRecord<T>[];
  /** The first offset the log still holds, when the consumer had reason to ask: below it, records are lost for good. */
  readonly logStart?: number;
}

/** A record that fails for ever, with where it stands: on its way to the dead letters. */
export interface BuriedRecord<T = unknown> extends ConsumedRecord<T> {
  readonly topic: string;
  readonly partition: number;
  readonly clusterId: string;
}

/**
 * What became of a batch.
 *
 * - `done`: every record of it has its effects, now or earlier.
 * - `seek`: nothing was done; the position is elsewhere, go on at `offset`.
 * - `retry`: nothing was done and the trouble is ours (an outage, a conflict); the same batch later.
 * - `refused`: nothing was done and the same input fails for ever; halve it until the culprit stands alone.
 */
export type Settlement =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'seek'; readonly offset: number }
  | { readonly outcome: 'retry'; readonly reason: string }
  | { readonly outcome: 'refused'; readonly reason: string };

/** How far a service has settled a partition: kept in the same transaction as the effects. */
export interface Checkpoint {
  readonly topic: string;
  readonly partition: number;
  /** The next offset to settle. */
  readonly offset: number;
  readonly clusterId: string;
  /**
   * Key and timestamp of record `offset - 1`: by these a log that was cut short, or made anew, is told from the old one. What
   * is stored for longer has the {@link keyMark} in the place of the key.
   */
  readonly lastKey: string | undefined;
  readonly lastTimestampMs: number;
}

/** What a consumer needs of the store that holds a service's checkpoints. */
export interface CheckpointStore {
  read(topic: string, partitions: readonly number[]): Promise<readonly Checkpoint[]>;
  /**
   * Moves the position to `offset` if it is still `checkpoint`, and keeps what it says of the last record: whoever verifies it
   * before a record is settled there comes to the same end.
   */
  goBack(checkpoint: Checkpoint, offset: number): Promise<void>;
  /** Removes the checkpoint if it is still `checkpoint`: the cluster is another one and is read from its beginning. */
  forget(checkpoint: Checkpoint): Promise<void>;
}

/**
 * Tells a key from nearly every other one and says nothing of it: eight hexadecimal digits (FNV-1a). A key may be a word of an
 * alert, of which nothing stays once it is deleted (A6).
 */
export function keyMark(key: string): string {
  let mark = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) mark = Math.imul(mark ^ key.charCodeAt(index), 0x01000193);
  return (mark >>> 0).toString(16).padStart(8, '0');
}
