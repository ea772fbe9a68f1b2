import type { z } from 'zod';

/** For how many days commands and events are kept: the longest that one waits for a consumer that is unavailable. */
export const TOPIC_DAYS = 14;

const HOUR_MS = 3_600_000;

/** How often an owner publishes all states and tombstones of a compacted topic again. */
export const STATE_REPUBLISH_MS = HOUR_MS;
/**
 * How long a compacted topic keeps every message. A message that was repeated late may be the last one of its key, but not the
 * newest. Readers that start before the newest is published again must find both, so this is longer than {@link STATE_REPUBLISH_MS}.
 */
export const STATE_COMPACTION_LAG_MS = 2 * HOUR_MS;
/**
 * How long a broker appends to one segment of a compacted topic: it compacts only closed ones. By default they are open for a week, and
 * every reader that starts reads the republications of all that time. Some hosted brokers allow no shorter time.
 */
export const STATE_SEGMENT_MS = 4 * HOUR_MS;
/** How long after a delete the tombstone is published again, before the key is erased. Longer than {@link STATE_COMPACTION_LAG_MS}. */
export const STATE_TOMBSTONE_MS = 24 * HOUR_MS;

/** The kind of a topic: commands and events are kept 14 days, state is compacted to the last value of each key. */
export type TopicKind = 'commands' | 'events' | 'state';

/** A topic of which only the name matters. */
export interface NamedTopic {
  readonly name: string;
}

/** Joins a topic to the schema of its values and to the key that orders them. It is the only place that does. */
export interface TopicDefinition<T> extends NamedTopic {
  readonly kind: TopicKind;
  readonly schema: z.ZodType<T>;
  /** Of the schema as this release writes it; 1 unless given. Every message carries it. */
  readonly version?: number;
  /**
   * The highest version that this release reads; `version` by default. A release reads a version before the next release writes
   * it, so that it can read those messages after a roll-back. A reader does not read a higher version: it waits until a newer
   * release replaces it.
   */
  readonly reads?: number;
  /** Messages with the same key are settled in the order of their publication. */
  readonly key: (message: T) => string;
}

/**
 * The trace to which a message belongs, where that is sampled. It travels as the header `traceparent`, and is no part of the value
 * on the topic: a publisher takes it out, and a consumer that traces puts it in.
 */
export interface Traced {
  /** A W3C `traceparent`: what is done about the message is a part of the span that it names. */
  readonly trace?: string;
}

/** The highest schema version that this release reads of the topic. */
export const readVersionOf = ({ reads, version = 1 }: Pick<TopicDefinition<never>, 'reads' | 'version'>): number =>
  reads ?? version;

/** Keeps the types of a topic's schema and key together. */
export function defineTopic<T>(definition: TopicDefinition<T>): TopicDefinition<T> {
  return definition;
}
