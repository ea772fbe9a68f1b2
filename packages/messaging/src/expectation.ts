import { keyMark, type Checkpoint, type ConsumedRecord } from '@tocsin/contracts';

/** What the next batch of a partition should begin with. */
export type Expectation =
  /** The first record that the log still holds: nothing was settled yet. */
  | { readonly kind: 'beginning' }
  /**
   * The last settled record, or, where retention has removed it, the record after it. It tells whether the topic was recreated.
   */
  | { readonly kind: 'verify'; readonly checkpoint: Checkpoint }
  /** The record at `offset`. */
  | { readonly kind: 'at'; readonly offset: number };

/** The result of comparing the first record of a batch with the expectation. */
export type Finding =
  /** Settle from `offset` on. All below was settled or, where there was no position, was removed by retention. */
  | { readonly verdict: 'go-on'; readonly offset: number }
  /** The last settled record is not there: the log was truncated, or the topic recreated. */
  | { readonly verdict: 'mismatch'; readonly checkpoint: Checkpoint }
  /** The client went back by itself: read the stored position again before any record is skipped. */
  | { readonly verdict: 'went-back' }
  /** The records from `offset` up to the batch were not fetched. */
  | { readonly verdict: 'gap'; readonly offset: number };

export type FirstRecord = Pick<ConsumedRecord<unknown>, 'offset' | 'key' | 'timestampMs'>;

/**
 * Compares the first record of a batch with what was expected. Offsets alone do not reveal a recreated topic that has grown past
 * the checkpoint; key and timestamp of the last settled record do.
 */
export function examine(expectation: Expectation, first: FirstRecord): Finding {
  switch (expectation.kind) {
    case 'beginning':
      return { verdict: 'go-on', offset: first.offset };
    case 'verify':
      return verify(expectation.checkpoint, first);
    case 'at':
      if (first.offset < expectation.offset) return { verdict: 'went-back' };
      if (first.offset > expectation.offset) return { verdict: 'gap', offset: expectation.offset };
      return { verdict: 'go-on', offset: first.offset };
  }
}

function verify(checkpoint: Checkpoint, first: FirstRecord): Finding {
  const before = checkpoint.offset - 1;
  if (first.offset < before) return { verdict: 'mismatch', checkpoint };
  // Retention may have removed the record before the checkpoint, and no other.
  if (first.offset === checkpoint.offset) return { verdict: 'go-on', offset: checkpoint.offset };
  if (first.offset > before) return { verdict: 'gap', offset: checkpoint.offset };
  const same = first.timestampMs === checkpoint.lastTimestampMs && hasKey(first, checkpoint);
  return same ? { verdict: 'go-on', offset: checkpoint.offset } : { verdict: 'mismatch', checkpoint };
}

/** Positions in MongoDB hold a hash of the key. Those in Kafka and in memory hold the key itself. */
const hasKey = ({ key }: FirstRecord, { lastKey }: Checkpoint): boolean =>
  key === lastKey || (key !== undefined && keyMark(key) === lastKey);

/** Where to seek so that the next batch begins with the expected record. */
export function seekOffset(expectation: Expectation): number {
  switch (expectation.kind) {
    case 'beginning':
      return 0;
    case 'verify':
      return expectation.checkpoint.offset - 1;
    case 'at':
      return expectation.offset;
  }
}

/** The first offset that is not settled; undefined while it is not known. */
export function settledTo(expectation: Expectation | undefined): number | undefined {
  if (expectation?.kind === 'verify') return expectation.checkpoint.offset;
  return expectation?.kind === 'at' ? expectation.offset : undefined;
}
