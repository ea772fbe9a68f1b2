import type { Checkpoint } from '@tocsin/events';
import { checkPosition, type StartPosition, seekOffset, processedUpTo } from './start-position.ts';
import type { FetchedRecord } from './fetched-record.ts';
import type { MessagingLogger } from './ports.ts';
import type { Positions } from './positions.ts';

/** The log of one partition, and where this process reads it next. */
export interface PartitionLog {
  /** The next fetch begins at `offset`; acts at once. */
  seek(offset: number): void;
  /** The first offset that the log still holds. */
  logStart(): Promise<number>;
  /** The first offset whose record is of `timestampMs` or later; the end of the log where there is none. */
  firstSince(timestampMs: number): Promise<number>;
}

export interface PartitionPositionOptions {
  /** Without the installation's prefix. */
  readonly topic: string;
  readonly partition: number;
  readonly clusterId: string;
  readonly control: PartitionLog;
  readonly positions: Positions;
  readonly logger: MessagingLogger;
}

/**
 * In a truncated log, records from this long before the last processed one are processed again: clocks of producers differ.
 * Milliseconds.
 */
const OVERLAP_MS = 10_000;

/** The position of one partition. It is compared with the log, and found again where the two disagree. */
export class PartitionPosition {
  readonly #options: PartitionPositionOptions;
  #startPosition: StartPosition | undefined;
  #lastProcessed: Checkpoint | undefined;
  #lostBefore: number | undefined;
  #soughtGap: number | undefined;
  #hasRetired = false;

  constructor(options: PartitionPositionOptions) {
    this.#options = options;
  }

  /** The first offset that is not processed; undefined while it is not known. */
  get offset(): number | undefined {
    return processedUpTo(this.#startPosition);
  }

  /** Where records are gone that were never processed: the offset behind them; undefined again once a record is processed. */
  get lostBefore(): number | undefined {
    return this.#lostBefore;
  }

  /** Seeks to where `startPosition` can be checked. */
  begin(startPosition: StartPosition): void {
    this.#startPosition = startPosition;
    this.#options.control.seek(seekOffset(startPosition));
  }

  /** Called when the assignment ends: it seeks no more. */
  retire(): void {
    this.#hasRetired = true;
  }

  /** The offset to process from in a batch that begins with `first`; undefined where it has called `seek`, so that another batch comes. */
  async locate(first: FetchedRecord): Promise<number | undefined> {
    if (this.#startPosition === undefined) return undefined;
    const result = checkPosition(this.#startPosition, first);
    switch (result.outcome) {
      case 'go-on':
        if (this.#startPosition.kind === 'beginning' && first.offset > 0) this.#lostBefore = first.offset;
        return this.#moveTo(result.offset);
      case 'gap':
        return this.#handleGap(result.offset, first.offset);
      case 'mismatch':
        await this.#goBack(result.checkpoint);
        return undefined;
      case 'went-back':
        this.#log(
          'warn',
          { first: first.offset, expected: this.offset },
          'The client fetched older records; the stored position is read again.',
        );
        await this.seekToStored(
          this.#lastProcessed === undefined
            ? { kind: 'beginning' }
            : { kind: 'verify', checkpoint: this.#lastProcessed },
        );
        return undefined;
    }
  }

  /** All below `offset` is processed; `last` is the record before it. */
  processed(offset: number, last: FetchedRecord): void {
    const { topic, partition, clusterId } = this.#options;
    this.#lastProcessed = { topic, partition, clusterId, offset, lastKey: last.key, lastTimestampMs: last.timestampMs };
    this.#lostBefore = undefined;
    this.#moveTo(offset);
  }

  /** Seeks to the stored position, or to `otherwise` where that one cannot be verified. */
  async seekToStored(otherwise?: StartPosition): Promise<void> {
    const { topic, partition, clusterId, positions } = this.#options;
    const stored = (await positions.read({ name: topic }, [partition], clusterId)).get(partition);
    if (this.#isRetired()) return;
    this.begin(stored?.kind === 'verify' ? stored : (otherwise ?? stored ?? { kind: 'beginning' }));
  }

  /**
   * The records between `at` and `first` are missing. Either retention removed them, or the client did not fetch them: then it seeks
   * back to them, once.
   */
  async #handleGap(at: number, first: number): Promise<number | undefined> {
    const { control } = this.#options;
    const logStart = await control.logStart();
    if (this.#isRetired()) return undefined;
    if (logStart <= at && this.#soughtGap !== at) {
      this.#soughtGap = at;
      control.seek(at);
      return undefined;
    }
    this.#lostBefore = logStart > at ? logStart : first;
    this.#log('error', { from: at, to: this.#lostBefore }, 'Records are gone from the log that were never processed.');
    return this.#moveTo(first);
  }

  /**
   * Goes back to the first record that can be newer than the last processed one. In a truncated log the older records were processed. In a
   * recreated topic all are newer. So no record is skipped that was never read.
   */
  async #goBack(checkpoint: Checkpoint): Promise<void> {
    const { control, positions } = this.#options;
    const since = await control.firstSince(checkpoint.lastTimestampMs - OVERLAP_MS);
    const start = await control.logStart();
    if (this.#isRetired()) return;
    const offset = Math.min(since, checkpoint.offset);
    if (offset > start) {
      const gone = checkpoint.offset - offset;
      this.#log('error', { checkpoint, offset, gone }, 'The log was truncated; reading on from an earlier record.');
    } else this.#log('error', { checkpoint }, 'The topic was recreated; reading it from its beginning.');
    await positions.goBack(checkpoint, offset);
    if (!this.#isRetired()) this.begin({ kind: 'at', offset });
  }

  #moveTo(offset: number): number {
    this.#startPosition = { kind: 'at', offset };
    return offset;
  }

  /** A method, because it has to be asked again after each await. */
  #isRetired(): boolean {
    return this.#hasRetired;
  }

  #log(level: 'warn' | 'error', fields: object, message: string): void {
    const { topic, partition, logger } = this.#options;
    logger[level]({ topic, partition, ...fields }, message);
  }
}
