import { keyHash, type Checkpoint, type ConsumedRecord } from '@tocsin/events';

/** The record with which the next batch of a partition should begin. */
export type StartPosition =
  /** The first record that the log still holds: nothing was processed yet. */
  | { readonly kind: 'beginning' }
  /**
   * The last processed record, or, where retention has removed it, the record after it. It shows whether the topic was recreated.
   */
  | { readonly kind: 'verify'; readonly checkpoint: Checkpoint }
  /** The record at `offset`. */
  | { readonly kind: 'at'; readonly offset: number };

/** The result of {@link checkPosition}. */
export type PositionResult =
  /** Process from `offset` on. All below was processed or, where there was no position, was removed by retention. */
  | { readonly outcome: 'go-on'; readonly offset: number }
  /** The last processed record is not there: the log was truncated, or the topic recreated. */
  | { readonly outcome: 'mismatch'; readonly checkpoint: Checkpoint }
  /** The client went back by itself: read the stored position again before any record is skipped. */
  | { readonly outcome: 'went-back' }
  /** The records from `offset` up to the batch were not fetched. */
  | { readonly outcome: 'gap'; readonly offset: number };

export type FirstRecord = Pick<ConsumedRecord<unknown>, 'offset' | 'key' | 'timestampMs'>;

/**
 * Compares the first record of a batch with the expected one. Offsets alone do not reveal a recreated topic that has grown past
 * the checkpoint; key and timestamp of the last processed record do.
 */
export function checkPosition(startPosition: StartPosition, first: FirstRecord): PositionResult {
  switch (startPosition.kind) {
    case 'beginning':
      return { outcome: 'go-on', offset: first.offset };
    case 'verify':
      return verify(startPosition.checkpoint, first);
    case 'at':
      if (first.offset < startPosition.offset) return { outcome: 'went-back' };
      if (first.offset > startPosition.offset) return { outcome: 'gap', offset: startPosition.offset };
      return { outcome: 'go-on', offset: first.offset };
  }
}

function verify(checkpoint: Checkpoint, first: FirstRecord): PositionResult {
  const before = checkpoint.offset - 1;
  if (first.offset < before) return { outcome: 'mismatch', checkpoint };
  // Retention may have removed the record before the checkpoint, and no other.
  if (first.offset === checkpoint.offset) return { outcome: 'go-on', offset: checkpoint.offset };
  if (first.offset > before) return { outcome: 'gap', offset: checkpoint.offset };
  const same = first.timestampMs === checkpoint.lastTimestampMs && hasKey(first, checkpoint);
  return same ? { outcome: 'go-on', offset: checkpoint.offset } : { outcome: 'mismatch', checkpoint };
}

/** Positions in MongoDB hold a hash of the key. Those in Kafka and in memory hold the key itself. */
const hasKey = ({ key }: FirstRecord, { lastKey }: Checkpoint): boolean =>
  key === lastKey || (key !== undefined && keyHash(key) === lastKey);

/** Where to seek so that the next batch begins with the expected record. */
export function seekOffset(startPosition: StartPosition): number {
  switch (startPosition.kind) {
    case 'beginning':
      return 0;
    case 'verify':
      return startPosition.checkpoint.offset - 1;
    case 'at':
      return startPosition.offset;
  }
}

/** The first offset that is not processed; undefined while it is not known. */
export function processedUpTo(startPosition: StartPosition | undefined): number | undefined {
  if (startPosition?.kind === 'verify') return startPosition.checkpoint.offset;
  return startPosition?.kind === 'at' ? startPosition.offset : undefined;
}
