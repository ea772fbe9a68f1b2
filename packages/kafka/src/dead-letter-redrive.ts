import { type Clock, NotFoundError } from '@tocsin/core';
import { type DeadLetter, DeadLetters, type RedrivenLetter } from '@tocsin/events';
import type { Producer } from 'kafkajs';
import { type FetchedRecord, readRecord } from './fetched-record.ts';
import { type KafkaConnection, withKafkaTimeout } from './kafka-connection.ts';
import { type LetterEntry, DeadLetterList } from './dead-letter-list.ts';
import { logBounds } from './log-bounds.ts';
import { versionHeaders } from './record-headers.ts';
import { PartitionCounts } from './partition-counts.ts';
import { partitionOf } from './partitioner.ts';
import { scanTopic } from './topic-scan.ts';

/** The result of redriving one dead letter. */
export interface RedriveResult {
  readonly address: string;
  /** Why its record was not put on its topic; undefined where it was. */
  readonly refused: string | undefined;
}

export interface DeadLetterRedriveOptions {
  readonly kafka: KafkaConnection;
  readonly clock: Clock;
}

/** Real time. A record whose send was abandoned may still be written; its consumer ignores the repeat. */
const SEND_TIMEOUT_MS = 20_000;

/**
 * Reads the dead letters of an installation and puts their records on their topics again. It needs only Kafka, so it works
 * whether or not the services run.
 */
export class DeadLetterRedrive {
  readonly #kafka: KafkaConnection;
  readonly #clock: Clock;

  constructor({ kafka, clock }: DeadLetterRedriveOptions) {
    this.#kafka = kafka;
    this.#clock = clock;
  }

  /**
   * Every letter that Kafka keeps, without its bytes, the newest last.
   *
   * @throws NotFoundError when there is no topic of dead letters, such as with a wrong prefix.
   * @throws Error when no broker answers.
   */
  async entries(): Promise<readonly LetterEntry[]> {
    if ((await new PartitionCounts(this.#kafka).find(DeadLetters)) === 0)
      throw new NotFoundError(`There is no topic ${this.#kafka.wireName(DeadLetters)}.`);
    const list = new DeadLetterList();
    await this.#scan((letter, stored) => {
      list.add(letter, stored);
    });
    return list.entries();
  }

  /** The letters of `entries` with their bytes. Those that Kafka has removed by now are left out. @throws as {@link entries}. */
  async letters(entries: readonly LetterEntry[]): Promise<readonly DeadLetter[]> {
    const found: DeadLetter[] = [];
    await this.#forEachOf(entries, (letter) => {
      found.push(letter);
    });
    return found;
  }

  /**
   * Puts the record of each letter on its partition again, with its bytes, and then a mark on the topic of dead letters. Calls
   * `onRedriven` once the brokers have both. A letter may be redriven twice: its consumer ignores repeats.
   *
   * @throws Error when the brokers are unavailable. Letters for which `onRedriven` was not called may be redriven or not.
   */
  async redrive(entries: readonly LetterEntry[], onRedriven: (redriven: RedriveResult) => void): Promise<void> {
    const partitions = (await logBounds(this.#kafka, DeadLetters)).size;
    const counts = new PartitionCounts(this.#kafka);
    const producer = this.#kafka.producer();
    try {
      await withKafkaTimeout(SEND_TIMEOUT_MS, producer.connect());
      await this.#forEachOf(entries, async (letter) => {
        const address = DeadLetters.key(letter);
        const refused = await findRefusal(letter, counts);
        if (refused === undefined) await withKafkaTimeout(SEND_TIMEOUT_MS, this.#redrive(producer, letter, partitions));
        onRedriven({ address, refused });
      });
    } finally {
      await producer.disconnect().catch(() => undefined);
    }
  }

  /**
   * The mark comes second: after a crash between the two the letter can be redriven again, and its consumer ignores the repeat.
   */
  async #redrive(producer: Producer, letter: DeadLetter, partitions: number): Promise<void> {
    const { topic, partition, offset, key, value, version } = letter;
    const wireName = this.#kafka.wireName({ name: topic });
    await producer.send({
      topic: wireName,
      acks: -1,
      messages: [{ partition, key: bytesOf(key), value: bytesOf(value), headers: versionHeaders(version) }],
    });
    const mark: RedrivenLetter = { topic, partition, offset, redrivenAt: this.#clock.now().toISOString() };
    const address = DeadLetters.key(mark);
    await producer.send({
      topic: this.#kafka.wireName(DeadLetters),
      acks: -1,
      messages: [{ partition: partitionOf(address, partitions), key: address, value: JSON.stringify(mark) }],
    });
  }

  /** Calls `onLetter` with each letter of `entries`, with its bytes, one after the other. */
  #forEachOf(entries: readonly LetterEntry[], onLetter: (letter: DeadLetter) => Promise<void> | void): Promise<void> {
    const storedKeys = new Set(entries.map(({ stored }) => storedKeyOf(stored)));
    return this.#scan(async (letter, stored) => {
      if ('failedAt' in letter && storedKeys.delete(storedKeyOf(stored))) await onLetter(letter);
    });
  }

  #scan(
    onLetter: (letter: DeadLetter | RedrivenLetter, stored: LetterEntry['stored']) => Promise<void> | void,
  ): Promise<void> {
    const each = async (record: FetchedRecord, partition: number): Promise<void> => {
      const reading = readRecord(DeadLetters.schema, record);
      if (reading.ok) await onLetter(reading.record.value, { partition, offset: record.offset });
    };
    return scanTopic({ kafka: this.#kafka, topic: DeadLetters, onRecord: each });
  }
}

/** Why the record of a letter cannot be put on its topic; undefined where it can. */
async function findRefusal(
  { topic, partition, value }: DeadLetter,
  counts: PartitionCounts,
): Promise<string | undefined> {
  if (value === undefined) return 'The letter does not hold the value of its record.';
  const partitions = await counts.find({ name: topic });
  if (partitions === 0) return `There is no topic ${topic}.`;
  return partition < partitions ? undefined : `${topic} has no partition ${String(partition)}.`;
}

const storedKeyOf = ({ partition, offset }: LetterEntry['stored']): string => `${String(partition)}/${String(offset)}`;

const bytesOf = (base64: string | undefined): Buffer | null =>
  base64 === undefined ? null : Buffer.from(base64, 'base64');
