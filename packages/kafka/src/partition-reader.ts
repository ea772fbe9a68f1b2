import { backOffMs } from '@tocsin/core';
import { RecordLimit } from './record-limit.ts';
import type { StartPosition } from './start-position.ts';
import type { FetchedRecord } from './fetched-record.ts';
import { PartitionPosition, type PartitionLog, type PartitionPositionOptions } from './partition-position.ts';
import type { Backlog, ConsumerMetrics } from './ports.ts';
import type { PartitionProcessor, ProcessingResult } from './partition-processor.ts';

/** How a reader seeks, pauses and resumes its partition; each call acts at once. */
export interface PartitionControl extends PartitionLog {
  pause(): void;
  resume(): void;
  /** `offset` is the first one that is not processed, and `last` the record before it: to be committed to Kafka. */
  processed(offset: number, last: FetchedRecord): void;
}

export interface PartitionReaderOptions extends PartitionPositionOptions {
  readonly control: PartitionControl;
  readonly processor: Pick<PartitionProcessor<unknown>, 'process'>;
  readonly metrics?: ConsumerMetrics | undefined;
  /** Most records that are processed together; fewer for a while after a failure. */
  readonly maxRecordsPerPartition: number;
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
  isRunning(): boolean;
}

/** A batch is returned to the client after this long: until then the client fetches nothing more from that broker. */
const MAX_READ_MS = 2_000;
/** After so many seeks in a row without a processed record, the partition pauses. */
const MAX_SEEKS = 3;
/** After so many failed tries, the stored position is read again. */
const TRIES_BEFORE_REREAD = 5;

/**
 * Reads one partition for as long as it is assigned: in order, without skipping what is not processed, the same records again
 * after a failure. A new assignment has new readers.
 */
export class PartitionReader {
  readonly #options: PartitionReaderOptions;
  readonly #position: PartitionPosition;
  readonly #recordLimit: RecordLimit;
  #backlog: Backlog | undefined;
  #attempts = 0;
  #seeks = 0;
  #timer: NodeJS.Timeout | undefined;
  #hasRetired = false;

  constructor(options: PartitionReaderOptions) {
    this.#options = options;
    this.#position = new PartitionPosition(options);
    this.#recordLimit = new RecordLimit(options.maxRecordsPerPartition);
  }

  /** The first offset that is not processed; undefined while it is not known. */
  get position(): number | undefined {
    return this.#position.offset;
  }

  /** The records that were not processed at the last look; undefined before the first fetch and after the assignment. */
  get backlog(): Backlog | undefined {
    return this.#backlog;
  }

  /** Seeks to where `startPosition` can be checked. */
  begin(startPosition: StartPosition): void {
    this.#position.begin(startPosition);
  }

  /** Called when the assignment ends: it resolves, seeks and resumes no more. */
  retire(): void {
    const { topic, partition, metrics } = this.#options;
    this.#hasRetired = true;
    this.#position.retire();
    clearTimeout(this.#timer);
    this.#backlog = undefined;
    metrics?.consumerLeft(topic, partition);
  }

  /** Processes what was fetched, for at most a few seconds. Never throws. */
  async read(batch: FetchedBatch): Promise<void> {
    const [first] = batch.records;
    if (this.#isRetired() || first === undefined) return;
    this.#updateBacklog(batch, this.position);
    try {
      const from = await this.#position.locate(first);
      if (from === undefined || this.#isRetired()) return;
      if (first.offset < from) batch.resolve(from - 1);
      await this.#process(
        batch.records.filter(({ offset }) => offset >= from),
        batch,
      );
    } catch (error) {
      if (!this.#isRetired()) this.#backOff(error instanceof Error ? error.message : String(error));
    }
  }

  async #process(records: readonly FetchedRecord[], batch: FetchedBatch): Promise<void> {
    const { processor, clusterId } = this.#options;
    const until = performance.now() + MAX_READ_MS;
    for (let start = 0; start < records.length;) {
      if (!batch.isRunning() || this.#isRetired() || performance.now() > until) return;
      const part = records.slice(start, start + this.#recordLimit.current);
      start += part.length;
      const result = await processor.process(part, clusterId, this.#position.lostBefore);
      if (this.#isRetired()) return;
      this.#advance(part, result.next, batch);
      if (result.halt !== undefined) {
        if (result.halt.outcome === 'retry') this.#recordLimit.failed(part.length);
        this.#halt(result.halt);
        return;
      }
      this.#recordLimit.succeeded();
    }
  }

  #advance(part: readonly FetchedRecord[], next: number, batch: FetchedBatch): void {
    const last = part.findLast(({ offset }) => offset < next);
    if (last === undefined) return;
    this.#position.processed(next, last);
    this.#attempts = 0;
    this.#seeks = 0;
    batch.resolve(last.offset);
    this.#options.control.processed(next, last);
    this.#updateBacklog(batch, next);
  }

  /** Only the number of the records beyond the fetched ones is known. None of them is older than the last fetched one. */
  #updateBacklog({ records: fetched, end }: FetchedBatch, next = fetched[0]?.offset ?? 0): void {
    const { topic, partition, metrics } = this.#options;
    const records = Math.max(0, end - next);
    const oldest = fetched.find(({ offset }) => offset >= next) ?? fetched.at(-1);
    this.#backlog = { records, oldestMs: records > 0 ? oldest?.timestampMs : undefined };
    metrics?.consumerBacklog(topic, partition, this.#backlog);
  }

  #halt(halt: NonNullable<ProcessingResult['halt']>): void {
    if (halt.outcome === 'retry') {
      this.#backOff(halt.reason);
      return;
    }
    this.#seeks += 1;
    this.#position.begin({ kind: 'at', offset: halt.offset });
    if (this.#seeks >= MAX_SEEKS) this.#backOff('The position does not agree with the log.');
  }

  /** Pauses this partition alone. The same records are tried again afterwards, without a limit. */
  #backOff(reason: string): void {
    const { control, logger, topic, partition } = this.#options;
    this.#attempts += 1;
    const attempt = this.#attempts;
    const waitMs = backOffMs(attempt);
    logger.warn({ topic, partition, reason, attempt, waitMs }, 'Records wait for another try.');
    control.pause();
    this.#timer = setTimeout(() => void this.#tryAgain(), waitMs);
  }

  async #tryAgain(): Promise<void> {
    try {
      if (this.#attempts % TRIES_BEFORE_REREAD === 0) await this.#position.seekToStored();
      if (!this.#isRetired()) this.#options.control.resume();
    } catch (error) {
      if (!this.#isRetired()) this.#backOff(error instanceof Error ? error.message : String(error));
    }
  }

  /** A method, because it has to be asked again after each await. */
  #isRetired(): boolean {
    return this.#hasRetired;
  }
}
