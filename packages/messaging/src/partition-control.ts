import type { FetchedRecord } from './fetched-record.ts';

/** How a reader seeks, pauses and resumes its partition; each call acts at once. */
export interface PartitionControl {
  /** The next fetch begins at `offset`. */
  seek(offset: number): void;
  pause(): void;
  resume(): void;
  /** The first offset that the log still holds. */
  logStart(): Promise<number>;
  /** The first offset whose record is of `timestampMs` or later; the end of the log where there is none. */
  firstSince(timestampMs: number): Promise<number>;
  /** `offset` is the first one that is not settled, and `last` the record before it: for Kafka's own bookkeeping. */
  settled(offset: number, last: FetchedRecord): void;
}
