import type { NamedTopic } from '@tocsin/events';
import type { KafkaConnection } from './kafka-connection.ts';

/** The offsets that a partition's log holds: from `start` (inclusive) to `end` (exclusive); equal when it is empty. */
export interface LogBounds {
  readonly start: number;
  readonly end: number;
}

/** Reads the bounds of each partition of a topic, by its number. @throws why the brokers do not answer. */
export type ReadBounds = (topic: NamedTopic) => Promise<ReadonlyMap<number, LogBounds>>;

/** The bounds of each partition of the topic now, by its number. @throws why the brokers do not answer. */
export async function logBounds(
  kafka: Pick<KafkaConnection, 'ask' | 'wireName'>,
  topic: NamedTopic,
): Promise<ReadonlyMap<number, LogBounds>> {
  const offsets = await kafka.ask((admin) => admin.fetchTopicOffsets(kafka.wireName(topic)));
  return new Map(offsets.map(({ partition, low, high }) => [partition, { start: Number(low), end: Number(high) }]));
}

/**
 * By partition, the first offset whose record is of `timestampMs` or later; the end of the log where there is none.
 *
 * @throws why the brokers do not answer.
 */
export async function offsetsSince(
  kafka: Pick<KafkaConnection, 'ask' | 'wireName'>,
  topic: NamedTopic,
  timestampMs: number,
): Promise<ReadonlyMap<number, number>> {
  const offsets = await kafka.ask((admin) => admin.fetchTopicOffsetsByTimestamp(kafka.wireName(topic), timestampMs));
  return new Map(offsets.map(({ partition, offset }) => [partition, Number(offset)]));
}

/**
 * How many records of a log are at `position` or above it. A position beyond the end is that of a topic that was recreated since.
 */
export function backlogOf({ start, end }: LogBounds, position = 0): number {
  return end - (position > end ? start : Math.max(start, position));
}
