import { readVersionOf, type ConsumedRecord, type ProducerSequence, type TopicDefinition } from '@tocsin/events';
import type { KafkaMessage } from 'kafkajs';
import { isLate } from './publish-deadline.ts';
import { sequenceIn, traceIn, versionIn } from './record-headers.ts';

/** One record as fetched; its value is still bytes. */
export interface FetchedRecord {
  readonly offset: number;
  readonly key: string | undefined;
  readonly timestampMs: number;
  /** Of its value; 1 by default. */
  readonly schemaVersion?: number;
  /** Whether it was appended long after its publisher had reported an error to the caller. */
  readonly late?: boolean;
  /** The producer sequence of the attempt whose last record this is. */
  readonly sequence?: ProducerSequence | undefined;
  /** The `traceparent` header; only where traces are read. */
  readonly trace?: string | undefined;
  readonly bytes: Pick<KafkaMessage, 'key' | 'value'>;
}

export function toFetchedRecord(message: KafkaMessage, isTraced = false): FetchedRecord {
  return {
    offset: Number(message.offset),
    key: message.key?.toString(),
    timestampMs: Number(message.timestamp),
    schemaVersion: versionIn(message.headers),
    late: isLate(message.headers, Number(message.timestamp)),
    sequence: sequenceIn(message.headers),
    ...(isTraced && { trace: traceIn(message.headers) }),
    bytes: { key: message.key, value: message.value },
  };
}

export type ReadResult<T> =
  { readonly ok: true; readonly record: ConsumedRecord<T> } | { readonly ok: false; readonly reason: string };

/** Why the record has to wait for a newer release; undefined where this process knows its schema version. */
export function newerVersionReason(
  topic: Pick<TopicDefinition<never>, 'name' | 'reads' | 'version'>,
  { schemaVersion = 1 }: FetchedRecord,
): string | undefined {
  const known = readVersionOf(topic);
  if (schemaVersion <= known) return undefined;
  return `Version ${schemaVersion} of ${topic.name} is newer than this process, which knows ${known}.`;
}

/** Parses the bytes as a value of the topic, or returns why that is impossible. Never throws. */
export function readRecord<T>(schema: TopicDefinition<T>['schema'], fetched: FetchedRecord): ReadResult<T> {
  let json: unknown;
  try {
    json = JSON.parse(fetched.bytes.value?.toString() ?? '');
  } catch {
    return { ok: false, reason: 'The value is not JSON.' };
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return { ok: true, record: recordOf(fetched, parsed.data) };
  const [issue] = parsed.error.issues;
  return {
    ok: false,
    reason: `The value does not fit its topic: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
  };
}

function recordOf<T>({ offset, key, timestampMs, late = false, sequence }: FetchedRecord, value: T): ConsumedRecord<T> {
  return { offset, key, timestampMs, value, ...(late && { late }), ...(sequence !== undefined && { sequence }) };
}
