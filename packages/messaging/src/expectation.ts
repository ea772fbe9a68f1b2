import { keyMark, type Checkpoint, type ConsumedRecord } from '@tocsin/contracts';

/** What the next batch of a partition ought to begin with. */
export type Expectation =
  /** Nothing was settled yet: whatever the log still begins with. */
  | { readonly kind: 'beginning' }
  /** The record before the checkpoint, which tells whether this is still the same topic. */
  | { readonly kind: 'verify'; readonly checkpoint: Checkpoint }
  /** The record at `offset`. */
  | { readonly kind: 'at'; readonly offset: number };

/** What the first record of a batch says about where we are. */
export type Finding =
  /** Settle from `offset` on; all below it has been settled, or is gone for good where there never was a position. */
  | { readonly verdict: 'go-on'; readonly offset: number }
  /** The record before the checkpoint is not there: the log was cut short, or the topic made anew under its old name. */
  | { readonly verdict: 'mismatch'; readonly checkpoint: Checkpoint }
  /** The client went back by itself: look again before anything is skipped. */
  | { readonly verdict: 'went-back' }
  /** Records from `offset` on did not come. */
  | { readonly verdict: 'gap'; readonly offset: number };

export type FirstRecord = Pick<ConsumedRecord<unknown>, 'offset' | 'key' | 'timestampMs'>;

/**
 * Compares the first record of a batch with what was expected. Offsets alone say nothing once a new topic has grown past
 * the checkpoint; key and timestamp of the record before it do.
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

/** Stored positions have the mark of the key; those of earlier versions, and what is in memory, have the key itself. */
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
