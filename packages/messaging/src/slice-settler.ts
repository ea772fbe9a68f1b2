import type { ConsumedRecord, Settlement, TopicDefinition } from '@tocsin/contracts';
import type { DeadLetterPublisher } from './dead-letter-publisher.ts';
import { type FetchedRecord, readRecord, tooNew } from './fetched-record.ts';
import type { BatchHandler, ConsumerMetrics, MessagingLogger } from './ports.ts';
import { settlementOfError } from './settlement-of-error.ts';
import { TracedRecords, type MessageTracer } from './tracing.ts';

/** How far a slice was settled. */
export interface SliceResult {
  /** The first offset that is not settled. */
  readonly next: number;
  /** Why the rest was not; undefined where all was settled. */
  readonly halt?: Exclude<Settlement, { outcome: 'done' | 'refused' }>;
}

export interface SliceSettlerOptions<T> {
  readonly topic: Pick<TopicDefinition<T>, 'name' | 'reads' | 'schema' | 'version'>;
  readonly partition: number;
  readonly handler: BatchHandler<T>;
  readonly deadLetters: DeadLetterPublisher;
  readonly logger: MessagingLogger;
  readonly metrics?: ConsumerMetrics | undefined;
  readonly tracer?: MessageTracer | undefined;
}

/** Records that follow each other and are settled together, or one record that the handler cannot be given. */
interface Run<T> {
  readonly fetched: readonly FetchedRecord[];
  readonly records: readonly ConsumedRecord<T>[];
  /** Why the one record cannot be read. */
  readonly unreadable?: string;
  /** Why the one record has to wait for a newer release. */
  readonly tooNew?: string;
}

const DONE: Settlement = { outcome: 'done' };

/** Hands the records of one partition to their handler, and publishes those that fail for ever as dead letters. */
export class SliceSettler<T> {
  readonly #options: SliceSettlerOptions<T>;
  #clusterId = '';
  #logStart: number | undefined;
  #next = 0;
  /** The offset of the record whose dead letter is published, until it is buried: a topic made anew has the offset again. */
  #published: number | undefined;

  constructor(options: SliceSettlerOptions<T>) {
    this.#options = options;
  }

  /** Settles `fetched` (one or more) in order, up to the first record that has to wait. Never throws. */
  async settle(fetched: readonly FetchedRecord[], clusterId: string, logStart?: number): Promise<SliceResult> {
    this.#clusterId = clusterId;
    this.#logStart = logStart;
    this.#next = fetched[0]?.offset ?? 0;
    for (const run of runsOf(this.#options.topic, fetched)) {
      const settlement = run.tooNew === undefined ? await this.#settleRun(run) : this.#wait(run.tooNew);
      if (settlement.outcome === 'seek' || settlement.outcome === 'retry')
        return { next: this.#next, halt: settlement };
    }
    return { next: this.#next };
  }

  /** The record waits for a newer release: burying it would lose it, and passing it would break the order. */
  #wait(reason: string): Settlement {
    this.#options.metrics?.tooNew(this.#options.topic.name);
    return { outcome: 'retry', reason };
  }

  async #settleRun(run: Run<T>): Promise<Settlement> {
    const settlement = run.unreadable === undefined ? await this.#handle(run) : refused(run.unreadable);
    if (settlement.outcome === 'done') this.#next = (run.fetched.at(-1)?.offset ?? 0) + 1;
    if (settlement.outcome !== 'refused') return settlement;
    const [only] = run.fetched;
    if (run.fetched.length > 1 || only === undefined) return this.#settleHalves(run);
    return this.#bury(only, run.records[0]?.value, settlement.reason);
  }

  /** Halves the run until the records that fail for ever are alone, so that all others have their effects. */
  async #settleHalves({ fetched, records }: Run<T>): Promise<Settlement> {
    const half = Math.ceil(fetched.length / 2);
    const first = await this.#settleRun({ fetched: fetched.slice(0, half), records: records.slice(0, half) });
    if (first.outcome !== 'done') return first;
    return this.#settleRun({ fetched: fetched.slice(half), records: records.slice(half) });
  }

  async #handle({ fetched, records: read }: Run<T>): Promise<Settlement> {
    const { topic, partition, handler, tracer } = this.#options;
    const traced = tracer && TracedRecords.begin(tracer, { topic: topic.name, partition, fetched }, read);
    const records = traced?.records ?? read;
    const batch = { topic: topic.name, partition, clusterId: this.#clusterId, records };
    const logStart = this.#logStart === undefined ? {} : { logStart: this.#logStart };
    const settlement = await this.#caught(() => handler.settle({ ...batch, ...logStart }));
    traced?.end(settlement);
    return settlement;
  }

  async #bury(fetched: FetchedRecord, value: T | undefined, reason: string): Promise<Settlement> {
    const { topic, partition, handler, deadLetters, logger, metrics } = this.#options;
    const { offset, key, timestampMs, stamp } = fetched;
    const settlement = await this.#caught(async () => {
      // Published once, however often the handler is asked to bury the record.
      if (this.#published !== offset) await deadLetters.publish(topic.name, partition, fetched, reason);
      this.#published = offset;
      const place = { topic: topic.name, partition, clusterId: this.#clusterId };
      const record = { ...place, offset, key, timestampMs, value, ...(stamp !== undefined && { stamp }) };
      return handler.bury(record, reason);
    });
    if (settlement.outcome === 'refused')
      return { outcome: 'retry', reason: `It cannot be buried: ${settlement.reason}` };
    if (settlement.outcome !== 'done') return settlement;
    logger.error(
      { topic: topic.name, partition, offset, reason },
      'A record that fails for ever is a dead letter now.',
    );
    metrics?.deadLetter(topic.name);
    this.#published = undefined;
    this.#next = offset + 1;
    return DONE;
  }

  async #caught(settle: () => Promise<Settlement>): Promise<Settlement> {
    try {
      return await settle();
    } catch (error) {
      const { topic, partition, logger } = this.#options;
      logger.error({ err: error, topic: topic.name, partition }, 'Settling records threw.');
      return settlementOfError(error);
    }
  }
}

function refused(reason: string): Settlement {
  return { outcome: 'refused', reason };
}

/**
 * Splits records into runs. An unreadable record is a run of its own, and so is one of a newer schema version, which is the last.
 */
function runsOf<T>(topic: SliceSettlerOptions<T>['topic'], fetched: readonly FetchedRecord[]): readonly Run<T>[] {
  const runs: Run<T>[] = [];
  let open: { fetched: FetchedRecord[]; records: ConsumedRecord<T>[] } | undefined;
  for (const one of fetched) {
    const newer = tooNew(topic, one);
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
