import type { Checkpoint } from '@tocsin/contracts';
import { backOffMs } from './back-off.ts';
import { examine, type Expectation, seekOffset, settledTo } from './expectation.ts';
import type { FetchedRecord } from './fetched-record.ts';
import type { Backlog, ConsumerMetrics, MessagingLogger } from './ports.ts';
import { BatchSize } from './batch-size.ts';
import type { Positions } from './positions.ts';
import type { SliceResult, SliceSettler } from './slice-settler.ts';

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

export interface PartitionReaderOptions {
  /** Without the installation's prefix. */
  readonly topic: string;
  readonly partition: number;
  readonly clusterId: string;
  readonly control: PartitionControl;
  readonly positions: Positions;
  readonly settler: Pick<SliceSettler<unknown>, 'settle'>;
  readonly logger: MessagingLogger;
  readonly metrics?: ConsumerMetrics | undefined;
  /** Most records that are settled together; fewer for a while after trouble. */
  readonly sliceSize: number;
}

/** One fetch of the partition. */
export interface FetchedBatch {
  /** In order, never empty. */
  readonly records: readonly FetchedRecord[];
  /** The offset that the next record of the partition will have. */
  readonly end: number;
  /** `offset` and everything below it need not be fetched again. */
  resolve(offset: number): void;
  /** Whether the consumer goes on. */
  running(): boolean;
}

/** A batch is returned to the client after this long: it fetches nothing more from the broker before. */
const BUDGET_MS = 2_000;
/**
 * After so many seeks in a row without a settled record the partition pauses; after so many failed tries its position is read
 * again.
 */
const SEEKS_IN_A_ROW = 3;
const TRIES_BEFORE_LOOK = 5;
/**
 * In a truncated log, records from this long before the last settled one are settled again: clocks of producers differ.
 * Milliseconds.
 */
const AGAIN_MS = 10_000;

/**
 * Reads one partition for as long as it is assigned: in order, without skipping what is not settled, the same records again
 * after a failure. A new assignment has new readers.
 */
export class PartitionReader {
  readonly #options: PartitionReaderOptions;
  readonly #batchSize: BatchSize;
  #expectation: Expectation | undefined;
  #logStart: number | undefined;
  #soughtGap: number | undefined;
  #last: Checkpoint | undefined;
  #backlog: Backlog | undefined;
  #attempts = 0;
  #seeks = 0;
  #timer: NodeJS.Timeout | undefined;
  #retired = false;

  constructor(options: PartitionReaderOptions) {
    this.#options = options;
    this.#batchSize = new BatchSize(options.sliceSize);
  }

  /** The first offset that is not settled; undefined while there is no position. */
  get position(): number | undefined {
    return settledTo(this.#expectation);
  }

  /** What was not settled at the last look; undefined before the first fetch and after the assignment. */
  get backlog(): Backlog | undefined {
    return this.#backlog;
  }

  /** Seeks to where `expectation` can be checked. */
  begin(expectation: Expectation): void {
    this.#expectation = expectation;
    this.#options.control.seek(seekOffset(expectation));
  }

  /** Called when the assignment ends: nothing is resolved, sought or resumed any more. */
  retire(): void {
    const { topic, partition, metrics } = this.#options;
    this.#retired = true;
    clearTimeout(this.#timer);
    this.#backlog = undefined;
    metrics?.consumerLeft(topic, partition);
  }

  /** Settles what was fetched, for at most a few seconds. Never throws. */
  async read(batch: FetchedBatch): Promise<void> {
    const [first] = batch.records;
    if (this.#left() || first === undefined || this.#expectation === undefined) return;
    this.#noteBacklog(batch, this.position);
    try {
      const from = await this.#locate(first, this.#expectation);
      if (from === undefined || this.#left()) return;
      this.#moveTo(from);
      if (first.offset < from) batch.resolve(from - 1);
      await this.#settle(
        batch.records.filter(({ offset }) => offset >= from),
        batch,
      );
    } catch (error) {
      if (!this.#left()) this.#backOff(error instanceof Error ? error.message : String(error));
    }
  }

  /** The offset of the batch to settle from; undefined when the partition was sought elsewhere. */
  async #locate(first: FetchedRecord, expectation: Expectation): Promise<number | undefined> {
    const finding = examine(expectation, first);
    switch (finding.verdict) {
      case 'go-on':
        if (expectation.kind === 'beginning' && first.offset > 0) this.#logStart = first.offset;
        return finding.offset;
      case 'gap':
        return this.#bridge(finding.offset, first.offset);
      case 'mismatch':
        await this.#findAgain(finding.checkpoint);
        return undefined;
      case 'went-back':
        this.#log('warn', { first: first.offset, expected: this.position }, 'The client went back; looking again.');
        await this.#lookAgain(this.#last);
        return undefined;
    }
  }

  /**
   * The records between `at` and `first` are missing: retention removed them, or they were not fetched, which is tried once
   * more.
   */
  async #bridge(at: number, first: number): Promise<number | undefined> {
    const { control } = this.#options;
    const logStart = await control.logStart();
    if (this.#left()) return undefined;
    if (logStart <= at && this.#soughtGap !== at) {
      this.#soughtGap = at;
      control.seek(at);
      return undefined;
    }
    this.#logStart = Math.max(logStart, logStart > at ? logStart : first);
    this.#log('error', { from: at, to: this.#logStart }, 'Records are gone from the log that were never settled.');
    return first;
  }

  /**
   * Goes back to the first record that can be newer than the last settled one. In a truncated log what is older was settled; in
   * a recreated topic everything is newer. No record is skipped that was never read.
   */
  async #findAgain(checkpoint: Checkpoint): Promise<void> {
    const { control, positions } = this.#options;
    const since = await control.firstSince(checkpoint.lastTimestampMs - AGAIN_MS);
    const start = await control.logStart();
    if (this.#left()) return;
    const offset = Math.min(since, checkpoint.offset);
    if (offset > start)
      this.#log(
        'error',
        { checkpoint, offset, gone: checkpoint.offset - offset },
        'The log was cut short; going back.',
      );
    else
      this.#log('error', { checkpoint }, 'The topic is a new one under its old name; reading it from its beginning.');
    await positions.goBack(checkpoint, offset);
    if (!this.#left()) this.begin({ kind: 'at', offset });
  }

  /** `known` is where to go on from if no position is kept that could be verified. */
  async #lookAgain(known?: Checkpoint): Promise<void> {
    const { topic, partition, clusterId, positions } = this.#options;
    const kept = (await positions.read({ name: topic }, [partition], clusterId)).get(partition);
    if (this.#left()) return;
    if (kept?.kind !== 'verify' && known !== undefined) this.begin({ kind: 'verify', checkpoint: known });
    else this.begin(kept ?? { kind: 'beginning' });
  }

  async #settle(records: readonly FetchedRecord[], batch: FetchedBatch): Promise<void> {
    const { settler, clusterId } = this.#options;
    const until = performance.now() + BUDGET_MS;
    for (let start = 0; start < records.length;) {
      if (!batch.running() || this.#left() || performance.now() > until) return;
      const slice = records.slice(start, start + this.#batchSize.size);
      start += slice.length;
      const result = await settler.settle(slice, clusterId, this.#logStart);
      if (this.#left()) return;
      this.#advance(slice, result.next, batch);
      if (result.halt !== undefined) {
        if (result.halt.outcome === 'retry') this.#batchSize.failed(slice.length);
        this.#halt(result.halt);
        return;
      }
      this.#batchSize.settled();
    }
  }

  #advance(slice: readonly FetchedRecord[], next: number, batch: FetchedBatch): void {
    const last = slice.findLast(({ offset }) => offset < next);
    if (last === undefined) return;
    const { topic, partition, clusterId, control } = this.#options;
    this.#last = { topic, partition, clusterId, offset: next, lastKey: last.key, lastTimestampMs: last.timestampMs };
    this.#moveTo(next);
    this.#attempts = 0;
    this.#seeks = 0;
    this.#logStart = undefined;
    batch.resolve(last.offset);
    control.settled(next, last);
    this.#noteBacklog(batch, next);
  }

  /** What follows the fetched records is not known but by its number; it is no older than the last of them. */
  #noteBacklog({ records: fetched, end }: FetchedBatch, next = fetched[0]?.offset ?? 0): void {
    const { topic, partition, metrics } = this.#options;
    const records = Math.max(0, end - next);
    const oldest = fetched.find(({ offset }) => offset >= next) ?? fetched.at(-1);
    this.#backlog = { records, oldestMs: records > 0 ? oldest?.timestampMs : undefined };
    metrics?.consumerBacklog(topic, partition, this.#backlog);
  }

  #halt(halt: NonNullable<SliceResult['halt']>): void {
    if (halt.outcome === 'retry') {
      this.#backOff(halt.reason);
      return;
    }
    this.#seeks += 1;
    this.#moveTo(halt.offset);
    this.#options.control.seek(halt.offset);
    if (this.#seeks >= SEEKS_IN_A_ROW) this.#backOff('The position does not agree with the log.');
  }

  /** Pauses this partition alone. The same records are tried again afterwards, without a limit. */
  #backOff(reason: string): void {
    const { control } = this.#options;
    this.#attempts += 1;
    const waitMs = backOffMs(this.#attempts, Math.random());
    this.#log('warn', { reason, attempt: this.#attempts, waitMs }, 'Records wait for another try.');
    control.pause();
    this.#timer = setTimeout(() => void this.#tryAgain(), waitMs);
  }

  async #tryAgain(): Promise<void> {
    try {
      if (this.#attempts % TRIES_BEFORE_LOOK === 0) await this.#lookAgain();
      if (!this.#left()) this.#options.control.resume();
    } catch (error) {
      if (!this.#left()) this.#backOff(error instanceof Error ? error.message : String(error));
    }
  }

  /** To be checked again after each await. */
  #left(): boolean {
    return this.#retired;
  }

  #moveTo(offset: number): void {
    this.#expectation = { kind: 'at', offset };
  }

  #log(level: 'warn' | 'error', fields: object, message: string): void {
    const { topic, partition, logger } = this.#options;
    logger[level]({ topic, partition, ...fields }, message);
  }
}
