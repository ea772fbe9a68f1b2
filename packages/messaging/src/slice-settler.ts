import type { ConsumedRecord, Settlement, TopicDefinition } from '@tocsin/contracts';
import type { DeadLetterPublisher } from './dead-letter-publisher.ts';
import { type FetchedRecord, readRecord, tooNew } from './fetched-record.ts';
import type { BatchHandler, ConsumerMetrics, MessagingLogger } from './ports.ts';
import { settlementOfError } from './settlement-of-error.ts';
import { TracedRecords, type MessageTracer } from './tracing.ts';

/** How far a slice was settled: `next` is the first offset that was not, and `halt` says why. */
export interface SliceResult {
  readonly next: number;
  readonly halt?: Exclude<Settlement, { outcome: 'done' | 'refused' }>;
}

export interface SliceSettlerOptions<T> {
  readonly topic: Pick<TopicDefinition<T>, 'name' | 'schema' | 'version'>;
  readonly partition: number;
  readonly handler: BatchHandler<T>;
  readonly deadLetters: DeadLetterPublisher;
  readonly logger: MessagingLogger;
  readonly metrics?: ConsumerMetrics | undefined;
  readonly tracer?: MessageTracer | undefined;
}

interface Run<T> {
  readonly fetched: readonly FetchedRecord[];
  readonly records: readonly ConsumedRecord<T>[];
  readonly poison?: string;
  readonly tooNew?: string;
}

const DONE: Settlement = { outcome: 'done' };

/** Hands the records of one partition to their handler, and publishes those that fail for ever as dead letters. */
export class SliceSettler<T> {
  readonly #options: SliceSettlerOptions<T>;
  #clusterId = '';
  #logStart: number | undefined;
  #next = 0;
  #letter: number | undefined;

  constructor(options: SliceSettlerOptions<T>) {
    this.#options = options;
  }

  /** Settles `fetched` (one or more) in order, up to the first that has to wait. Never throws. */
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

  /** A newer release understands the record. To bury it would lose it, and to pass it would break the order. */
  #wait(reason: string): Settlement {
    this.#options.metrics?.tooNew(this.#options.topic.name);
    return { outcome: 'retry', reason };
  }

  async #settleRun(run: Run<T>): Promise<Settlement> {
    const settlement = run.poison === undefined ? await this.#handle(run) : refused(run.poison);
    if (settlement.outcome === 'done') this.#next = (run.fetched.at(-1)?.offset ?? 0) + 1;
    if (settlement.outcome !== 'refused') return settlement;
    const [only] = run.fetched;
    if (run.fetched.length > 1 || only === undefined) return this.#settleHalves(run);
    return this.#bury(only, run.records[0]?.value, settlement.reason);
  }

  /** Isolates the records that fail for ever by halving, so that all others have their effects. */
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
      // This process writes the letter once, however often it tries to bury the record.
      if (this.#letter !== offset) await deadLetters.publish(topic.name, partition, fetched, reason);
      this.#letter = offset;
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
 * Splits records into runs of readable values. An unreadable record is a run of its own, and a record of a newer schema version
 * ends the list.
 */
function runsOf<T>(topic: SliceSettlerOptions<T>['topic'], fetched: readonly FetchedRecord[]): readonly Run<T>[] {
  const runs: Run<T>[] = [];
  let open: { fetched: FetchedRecord[]; records: ConsumedRecord<T>[] } | undefined;
  for (const one of fetched) {
    const newer = tooNew(topic, one);
    if (newer !== undefined) return [...runs, { fetched: [one], records: [], tooNew: newer }];
    const reading = readRecord(topic.schema, one);
    if (!reading.ok) {
      runs.push({ fetched: [one], records: [], poison: reading.reason });
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
