import type { ConsumedRecord, BatchResult, TopicDefinition } from '@tocsin/events';
import type { DeadLetterPublisher } from './dead-letter-publisher.ts';
import { type FetchedRecord, readRecord, newerVersionReason } from './fetched-record.ts';
import type { BatchProcessor, ConsumerMetrics, MessagingLogger } from './ports.ts';
import type { RecordGroups } from './record-groups.ts';
import { failureResult } from './failure-result.ts';
import { TracedRecords, type MessageTracer } from './tracing.ts';

/** How far records were processed. */
export interface ProcessingResult {
  /** The first offset that is not processed. */
  readonly next: number;
  /** Why the rest was not; undefined where all was. */
  readonly halt?: Exclude<BatchResult, { outcome: 'done' | 'refused' }>;
}

export interface PartitionProcessorOptions<T> {
  readonly topic: Pick<TopicDefinition<T>, 'name' | 'reads' | 'schema' | 'version'>;
  readonly partition: number;
  /** Shared with the other partitions of the topic. */
  readonly groups: Pick<RecordGroups<T>, 'process'>;
  readonly processor: Pick<BatchProcessor<T>, 'deadLetter'>;
  readonly deadLetters: DeadLetterPublisher;
  readonly logger: MessagingLogger;
  readonly metrics?: ConsumerMetrics | undefined;
  readonly tracer?: MessageTracer | undefined;
}

/** Records that follow each other and are processed together, or one record that cannot be. */
interface Run<T> {
  readonly fetched: readonly FetchedRecord[];
  readonly records: readonly ConsumedRecord<T>[];
  /** Why the one record cannot be read. */
  readonly unreadable?: string;
  /** Why the one record has to wait for a newer release. */
  readonly tooNew?: string;
}

const DONE: BatchResult = { outcome: 'done' };

/** Processes the records of one partition in groups with those of others, and publishes those that fail for ever as dead letters. */
export class PartitionProcessor<T> {
  readonly #options: PartitionProcessorOptions<T>;
  #clusterId = '';
  #lostBefore: number | undefined;
  #next = 0;
  /** The offset of the record whose dead letter is published, until the position is past it: a recreated topic has the offset again. */
  #published: number | undefined;

  constructor(options: PartitionProcessorOptions<T>) {
    this.#options = options;
  }

  /** Processes `fetched` (one or more) in order, up to the first record that has to wait. Never throws. */
  async process(fetched: readonly FetchedRecord[], clusterId: string, lostBefore?: number): Promise<ProcessingResult> {
    this.#clusterId = clusterId;
    this.#lostBefore = lostBefore;
    this.#next = fetched[0]?.offset ?? 0;
    for (const run of runsOf(this.#options.topic, fetched)) {
      const result = run.tooNew === undefined ? await this.#processRun(run) : this.#wait(run.tooNew);
      if (result.outcome === 'seek' || result.outcome === 'retry') return { next: this.#next, halt: result };
    }
    return { next: this.#next };
  }

  /** The record waits for a newer release: a dead letter would lose it, and passing it would break the order. */
  #wait(reason: string): BatchResult {
    this.#options.metrics?.tooNew(this.#options.topic.name);
    return { outcome: 'retry', reason };
  }

  async #processRun(run: Run<T>): Promise<BatchResult> {
    const result = run.unreadable === undefined ? await this.#processTogether(run) : refused(run.unreadable);
    if (result.outcome === 'done') this.#next = (run.fetched.at(-1)?.offset ?? 0) + 1;
    if (result.outcome !== 'refused') return result;
    const [only] = run.fetched;
    if (run.fetched.length > 1 || only === undefined) return this.#processHalves(run);
    return this.#deadLetter(only, run.records[0]?.value, result.reason);
  }

  /** Halves the run until the records that fail for ever are alone, so that all others have their effects. */
  async #processHalves({ fetched, records }: Run<T>): Promise<BatchResult> {
    const half = Math.ceil(fetched.length / 2);
    const first = await this.#processRun({ fetched: fetched.slice(0, half), records: records.slice(0, half) });
    if (first.outcome !== 'done') return first;
    return this.#processRun({ fetched: fetched.slice(half), records: records.slice(half) });
  }

  async #processTogether({ fetched, records: read }: Run<T>): Promise<BatchResult> {
    const { topic, partition, groups, tracer } = this.#options;
    const traced = tracer && TracedRecords.begin(tracer, { topic: topic.name, partition, fetched }, read);
    const records = traced?.records ?? read;
    const batch = { topic: topic.name, partition, clusterId: this.#clusterId, records };
    const lostBefore = this.#lostBefore === undefined ? {} : { lostBefore: this.#lostBefore };
    const result = await this.#caught(() => groups.process({ ...batch, ...lostBefore }));
    traced?.end(result);
    return result;
  }

  async #deadLetter(fetched: FetchedRecord, value: T | undefined, reason: string): Promise<BatchResult> {
    const { topic, partition, processor, deadLetters, logger, metrics } = this.#options;
    const { offset, key, timestampMs, sequence } = fetched;
    const result = await this.#caught(async () => {
      // Published once, however often the processor is tried after it.
      if (this.#published !== offset) await deadLetters.publish(topic.name, partition, fetched, reason);
      this.#published = offset;
      const place = { topic: topic.name, partition, clusterId: this.#clusterId };
      const record = { ...place, offset, key, timestampMs, value, ...(sequence !== undefined && { sequence }) };
      return processor.deadLetter(record, reason);
    });
    if (result.outcome === 'refused') return { outcome: 'retry', reason: `It cannot be skipped: ${result.reason}` };
    if (result.outcome !== 'done') return result;
    logger.error(
      { topic: topic.name, partition, offset, reason },
      'A record that fails for ever is a dead letter now.',
    );
    metrics?.deadLetter(topic.name);
    this.#published = undefined;
    this.#next = offset + 1;
    return DONE;
  }

  async #caught(work: () => Promise<BatchResult>): Promise<BatchResult> {
    try {
      return await work();
    } catch (error) {
      const { topic, partition, logger } = this.#options;
      logger.error({ err: error, topic: topic.name, partition }, 'Processing records threw.');
      return failureResult(error);
    }
  }
}

function refused(reason: string): BatchResult {
  return { outcome: 'refused', reason };
}

/**
 * Splits records into runs. An unreadable record is a run of its own, and so is one of a newer schema version, which is the last.
 */
function runsOf<T>(topic: PartitionProcessorOptions<T>['topic'], fetched: readonly FetchedRecord[]): readonly Run<T>[] {
  const runs: Run<T>[] = [];
  let open: { fetched: FetchedRecord[]; records: ConsumedRecord<T>[] } | undefined;
  for (const one of fetched) {
    const newer = newerVersionReason(topic, one);
    if (newer !== undefined) return [...runs, { fetched: [one], records: [], tooNew: newer }];
    const reading = readRecord(topic.schema, one);
    if (!reading.ok) {
      runs.push({ fetched: [one], records: [], unreadable: reading.reason });
      open = undefined;
    } else if (open === undefined) {
      open = { fetched: [one], records: [reading.record] };
      runs.push(open);
    } else {
      open.fetched.push(one);
      open.records.push(reading.record);
    }
  }
  return runs;
}
