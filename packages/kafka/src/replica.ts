import { Batcher } from '@tocsin/core';
import { MAX_STATES_PER_LOOK_UP, type StateMessage, type TopicDefinition, type Version } from '@tocsin/events';
import { type FetchedRecord, readRecord, newerVersionReason } from './fetched-record.ts';
import type { ChangeListener, ConsumerMetrics, MessagingLogger, MissLookUp, ReplicaView } from './ports.ts';
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

/**
 * The newest state of every entity of one compacted topic, whether it came over Kafka or from the owner's answer to a look-up.
 */
export class Replica<T> implements ReplicaView<T> {
  readonly #options: ReplicaOptions<T>;
  readonly #table: StateTable<T>;
  readonly #misses = new NegativeCache(MISS_MS, MISSES);
  /** Look-ups under way, by index and value. */
  readonly #fetching = new Map<string, Promise<T | undefined>>();
  /** By index. */
  readonly #lookUps = new Map<string, Batcher<string, undefined>>();
  readonly #listeners = new Set<ChangeListener>();
  /** Ids of entities whose newest state has a schema version that this process does not know. Their older state is kept. */
  readonly #tooNew = new Set<string>();

  constructor(options: ReplicaOptions<T>) {
    this.#options = options;
    this.#table = new StateTable(options.indexes);
  }

  /** Whether every newest state has a known schema version. */
  get isComplete(): boolean {
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
    const lookUpKey = `${index}=${value}`;
    if (this.#misses.has(lookUpKey, performance.now())) return Promise.resolve(undefined);
    let fetching = this.#fetching.get(lookUpKey);
    if (fetching === undefined) {
      fetching = this.#askOwner(index, value, lookUpKey).finally(() => this.#fetching.delete(lookUpKey));
      this.#fetching.set(lookUpKey, fetching);
    }
    return fetching;
  }

  whenChanged(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Applies one record of the topic. An unreadable one is logged and skipped: the owner publishes every state again each hour.
   */
  apply(record: FetchedRecord): void {
    const newer = newerVersionReason(this.#options.topic, record);
    if (newer !== undefined) {
      this.#keepOlder(record, newer);
      return;
    }
    this.#tooNew.delete(record.key ?? '');
    if (record.bytes.value === null) {
      if (record.key !== undefined && this.#table.erase(record.key)) this.#notify(record.key, undefined);
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
   * Keeps the older state: a newer one that is half understood could page the wrong person, and without a state no user is paged.
   */
  #keepOlder({ key = '' }: FetchedRecord, reason: string): void {
    const { logger, metrics, topic } = this.#options;
    if (this.isComplete) logger.error({ topic: topic.name, reason }, 'States are too new; the older ones are kept.');
    this.#tooNew.add(key);
    metrics?.tooNew(topic.name);
  }

  async #askOwner(index: string, value: string, lookUpKey: string): Promise<T | undefined> {
    await this.#lookUpsBy(index).add(value);
    // A state that came over Kafka meanwhile is at least as new as the answer.
    const held = this.#table.find(index, value);
    if (held === undefined) this.#misses.add(lookUpKey, performance.now());
    return held;
  }

  /** A look-up waits for no other: the owner may answer one and be slow with another. */
  #lookUpsBy(index: string): Batcher<string, undefined> {
    const lookUps =
      this.#lookUps.get(index) ??
      new Batcher<string, undefined>({
        process: (values) => this.#answer(index, values),
        maxItems: MAX_STATES_PER_LOOK_UP,
        maxConcurrent: Infinity,
      });
    this.#lookUps.set(index, lookUps);
    return lookUps;
  }

  async #answer(index: string, values: readonly string[]): Promise<readonly undefined[]> {
    for (const message of await this.#options.lookUp(this.#options.topic, index, values)) this.#apply(message);
    return values.map(() => undefined);
  }

  #apply(message: StateMessage<T>): void {
    if (this.#table.apply(message)) this.#notify(message.id, message.version);
  }

  #notify(id: string, version: Version | undefined): void {
    for (const listener of this.#listeners) listener(id, version);
  }
}
