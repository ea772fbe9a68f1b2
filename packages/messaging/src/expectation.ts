import { keyMark, type Checkpoint, type ConsumedRecord } from '@tocsin/contracts';

/** What the next batch of a partition should begin with. */
export type Expectation =
  /** Nothing was settled yet: the first record that the log still holds. */
  | { readonly kind: 'beginning' }
  /** The last settled record, by which a recreated topic is recognised. */
  | { readonly kind: 'verify'; readonly checkpoint: Checkpoint }
  /** The record at `offset`. */
  | { readonly kind: 'at'; readonly offset: number };

/** What the first record of a batch says about the position. */
export type Finding =
  /** Settle from `offset` on: what is below was settled or, where there was no position, is gone. */
  | { readonly verdict: 'go-on'; readonly offset: number }
  /** The last settled record is not there: the log was truncated, or the topic recreated. */
  | { readonly verdict: 'mismatch'; readonly checkpoint: Checkpoint }
  /** The client went back by itself: read the position again before anything is skipped. */
  | { readonly verdict: 'went-back' }
  /** Records from `offset` on were not fetched. */
  | { readonly verdict: 'gap'; readonly offset: number };

export type FirstRecord = Pick<ConsumedRecord<unknown>, 'offset' | 'key' | 'timestampMs'>;

/**
 * Compares the first record of a batch with what was expected. Offsets alone do not tell a recreated topic that has grown past
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
  // Retention may have taken the record before the checkpoint, and nothing else.
  if (first.offset === checkpoint.offset) return { verdict: 'go-on', offset: checkpoint.offset };
  if (first.offset > before) return { verdict: 'gap', offset: checkpoint.offset };
  const same = first.timestampMs === checkpoint.lastTimestampMs && hasKey(first, checkpoint);
  return same ? { verdict: 'go-on', offset: checkpoint.offset } : { verdict: 'mismatch', checkpoint };
}

/** Stored positions hold a hash of the key. Those of earlier releases, and those in memory, hold the key itself. */
const hasKey = ({ key }: FirstRecord, { lastKey }: Checkpoint): boolean =>
  key === lastKey || (key !== undefined && keyMark(key) === lastKey);

/** Where to seek so that the next batch can be compared with the expectation. */
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

/** The first offset that is not settled, as far as it is known. */
export function settledTo(expectation: Expectation | undefined): number | undefined {
  if (expectation?.kind === 'verify') return expectation.checkpoint.offset;
  return expectation?.kind === 'at' ? expectation.offset : undefined;
}
