import type { StateMessage, TopicDefinition } from '@tocsin/contracts';
import { type FetchedRecord, readRecord, tooNew } from './fetched-record.ts';
import type { ConsumerMetrics, MessagingLogger, MissLookUp, ReplicaView } from './ports.ts';
import { NegativeCache } from './negative-cache.ts';
import { type Indexes, StateTable } from './state-table.ts';

export interface ReplicaOptions<T> {
  readonly topic: TopicDefinition<StateMessage<T>>;
  readonly indexes: Indexes<T>;
  readonly lookUp: MissLookUp;
  readonly logger: MessagingLogger;
  readonly metrics?: ConsumerMetrics | undefined;
}

const MISS_MS = 2_000;
const MISSES = 10_000;
/** The most values of one request. Values have 1000 code points at most, so its body stays under 1 MiB. */
const LOT = 100;

/** Values that are asked for in one request. */
interface Lot {
  readonly values: string[];
  readonly answered: Promise<void>;
}

/**
 * The newest state of every entity of one compacted topic, whether it came over Kafka or from the owner's answer to a look-up.
 */
export class Replica<T> implements ReplicaView<T> {
  readonly #options: ReplicaOptions<T>;
  readonly #table: StateTable<T>;
  readonly #misses = new NegativeCache(MISS_MS, MISSES);
  /** Look-ups under way, by index and value. */
  readonly #asking = new Map<string, Promise<T | undefined>>();
  /** By index, the lot that still takes values. */
  readonly #lots = new Map<string, Lot>();
  readonly #listeners = new Set<(id: string) => void>();
  /** Ids of entities whose newest state has a schema version that this process does not know. Their older state is kept. */
  readonly #tooNew = new Set<string>();

  constructor(options: ReplicaOptions<T>) {
    this.#options = options;
    this.#table = new StateTable(options.indexes);
  }

  /** Whether every newest state has a known schema version. */
  get complete(): boolean {
    return this.#tooNew.size === 0;
  }

  get(id: string): T | undefined {
    return this.#table.get(id);
  }

  isDeleted(id: string): boolean {
    return this.#table.isDeleted(id);
  }

  find(index: string, value: string): T | undefined {
    return this.#table.find(index, value);
  }

  all(): IterableIterator<T> {
    return this.#table.all();
  }

  fetch(index: string, value: string): Promise<T | undefined> {
    const held = this.#table.find(index, value);
    if (held !== undefined || (index === 'id' && this.#table.isDeleted(value))) return Promise.resolve(held);
    const question = `${index}=${value}`;
    if (this.#misses.has(question, performance.now())) return Promise.resolve(undefined);
    let asking = this.#asking.get(question);
    if (asking === undefined) {
      asking = this.#ask(index, value, question).finally(() => this.#asking.delete(question));
      this.#asking.set(question, asking);
    }
    return asking;
  }

  whenChanged(listener: (id: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Applies one record of the topic. An unreadable one is logged and skipped: the owner publishes every state again each hour.
   */
  take(record: FetchedRecord): void {
    const newer = tooNew(this.#options.topic, record);
    if (newer !== undefined) {
      this.#keepOlder(record, newer);
      return;
    }
    this.#tooNew.delete(record.key ?? '');
    if (record.bytes.value === null) {
      if (record.key !== undefined && this.#table.erase(record.key)) this.#tell(record.key);
      return;
    }
    const reading = readRecord(this.#options.topic.schema, record);
    if (reading.ok) this.#apply(reading.record.value);
    else {
      const { name } = this.#options.topic;
      this.#options.logger.error(
        { topic: name, offset: record.offset, reason: reading.reason },
        'A state is unreadable.',
      );
    }
  }

  /**
   * Keeps the older state: a newer one that is half understood could page the wrong person, and without a state nobody is paged.
   */
  #keepOlder({ key = '' }: FetchedRecord, reason: string): void {
    const { logger, metrics, topic } = this.#options;
    if (this.complete) logger.error({ topic: topic.name, reason }, 'States are too new; the older ones are kept.');
    this.#tooNew.add(key);
    metrics?.tooNew(topic.name);
  }

  async #ask(index: string, value: string, question: string): Promise<T | undefined> {
    const lot = this.#lotOf(index);
    lot.values.push(value);
    await lot.answered;
    // A state that came over Kafka meanwhile is at least as new as the answer.
    const held = this.#table.find(index, value);
    if (held === undefined) this.#misses.add(question, performance.now());
    return held;
  }

  #lotOf(index: string): Lot {
    const open = this.#lots.get(index);
    if (open !== undefined && open.values.length < LOT) return open;
    const values: string[] = [];
    const lot = { values, answered: this.#answer(index, values) };
    this.#lots.set(index, lot);
    return lot;
  }

  async #answer(index: string, values: readonly string[]): Promise<void> {
    // The code that runs now may ask for more.
    await Promise.resolve();
    if (this.#lots.get(index)?.values === values) this.#lots.delete(index);
    for (const message of await this.#options.lookUp(this.#options.topic, index, values)) this.#apply(message);
  }

  #apply(message: StateMessage<T>): void {
    if (this.#table.apply(message)) this.#tell(message.id);
  }

  #tell(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }
}
