import type { IHeaders, Message, RecordMetadata } from 'kafkajs';

/** A record of a partition. Its timestamp is the time at which the broker appended it. */
export interface StoredRecord {
  readonly offset: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: IHeaders;
  readonly timestampMs: number;
}

/** One request of a producer. A repeat has the same numbers. */
export interface ProduceRequest {
  readonly producerId: number;
  /** The first request of a producer is 1, each later one has the next number. */
  readonly sequence: number;
  readonly topic: string;
  readonly messages: readonly Message[];
}

interface Partition {
  /** In the order of their offsets, without those that compaction has removed. */
  records: readonly StoredRecord[];
  /** The offset of the next record. */
  end: number;
}

/** The part of a partition that a fetch returns. */
export interface FetchedPart {
  readonly records: readonly StoredRecord[];
  readonly end: number;
}

const bytesOf = (value: Buffer | string | null | undefined): Buffer | null =>
  value === null || value === undefined ? null : Buffer.from(value);

const headersOf = (headers: IHeaders = {}): IHeaders =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value : (bytesOf(value) ?? undefined),
    ]),
  );

/**
 * The topics of a cluster, in memory. Offsets of a partition rise by one. A request of a producer that is repeated with its number is
 * appended once; the same messages of another producer are appended again.
 */
export class MemoryLog {
  readonly #now: () => number;
  readonly #topics = new Map<string, readonly Partition[]>();
  /** The last request of each producer, and the answer to it. */
  readonly #answered = new Map<number, { readonly sequence: number; readonly answer: RecordMetadata[] }>();
  #grown = Promise.withResolvers<undefined>();
  #producers = 0;

  /** `now`: milliseconds since the epoch by the clock of the broker. */
  constructor(now: () => number) {
    this.#now = now;
  }

  createTopic(topic: string, partitions: number): void {
    this.#topics.set(
      topic,
      Array.from({ length: partitions }, () => ({ records: [], end: 0 })),
    );
  }

  /** How many partitions the topic has; 0 where there is no such topic. */
  partitionsOf(topic: string): number {
    return this.#topics.get(topic)?.length ?? 0;
  }

  newProducerId(): number {
    this.#producers += 1;
    return this.#producers;
  }

  /** @throws Error where the topic or a partition does not exist, or a request of the producer is missing before this one. */
  append({ messages, producerId, sequence, topic }: ProduceRequest): RecordMetadata[] {
    const last = this.#answered.get(producerId) ?? { sequence: 0, answer: [] };
    if (sequence === last.sequence) return last.answer;
    if (sequence !== last.sequence + 1)
      throw new Error(`Producer ${producerId} left out request ${last.sequence + 1}.`);
    const timestampMs = this.#now();
    const answer = [...Map.groupBy(messages, ({ partition = 0 }) => partition)].map(([number, ofPartition]) => {
      const partition = this.#partition(topic, number);
      const added = ofPartition.map(({ headers, key, value }, index) => ({
        offset: partition.end + index,
        key: bytesOf(key),
        value: bytesOf(value),
        headers: headersOf(headers),
        timestampMs,
      }));
      partition.records = [...partition.records, ...added];
      const baseOffset = String(partition.end);
      partition.end += added.length;
      return { topicName: topic, partition: number, errorCode: 0, baseOffset, logAppendTime: String(timestampMs) };
    });
    this.#answered.set(producerId, { sequence, answer });
    this.#grown.resolve(undefined);
    this.#grown = Promise.withResolvers();
    return answer;
  }

  /** At most `limit` records from `offset` on; from the beginning where the partition ends before `offset`. */
  fetch(
    topic: string,
    partition: number,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): FetchedPart {
    const { end, records } = this.#partition(topic, partition);
    const from = offset > end ? 0 : offset;
    return { records: records.filter((record) => record.offset >= from).slice(0, limit), end };
  }

  /** Resolves when something is appended to any partition. */
  async whenGrown(): Promise<void> {
    await this.#grown.promise;
  }

  /** The number of each partition, and where it begins and ends. */
  bounds(topic: string): { partition: number; low: number; high: number }[] {
    return this.#partitions(topic).map(({ end, records }, partition) => ({
      partition,
      low: records[0]?.offset ?? end,
      high: end,
    }));
  }

  /** By partition, the first offset of a record of `timestampMs` or later; the end where there is none. */
  firstSince(topic: string, timestampMs: number): { partition: number; offset: number }[] {
    return this.#partitions(topic).map(({ end, records }, partition) => ({
      partition,
      offset: records.find((record) => record.timestampMs >= timestampMs)?.offset ?? end,
    }));
  }

  /** Removes each record that a later one of its partition with the same key replaces. */
  compact(topic: string): void {
    for (const partition of this.#partitions(topic)) {
      const newest = new Map(partition.records.map((record) => [record.key?.toString(), record]));
      partition.records = partition.records.filter((record) => newest.get(record.key?.toString()) === record);
    }
  }

  /** All records of a topic, one partition after the other. */
  recordsOf(topic: string): readonly StoredRecord[] {
    return this.#partitions(topic).flatMap(({ records }) => records);
  }

  #partitions(topic: string): readonly Partition[] {
    const found = this.#topics.get(topic);
    if (found === undefined) throw new Error(`There is no topic ${topic}.`);
    return found;
  }

  #partition(topic: string, number: number): Partition {
    const found = this.#partitions(topic)[number];
    if (found === undefined) throw new Error(`${topic} has no partition ${number}.`);
    return found;
  }
}
