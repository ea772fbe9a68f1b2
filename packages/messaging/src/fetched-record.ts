import type { ConsumedRecord, TopicDefinition } from '@tocsin/contracts';
import type { KafkaMessage } from 'kafkajs';

/** One record with the bytes that it came as; `value` waits to be read. */
export interface FetchedRecord {
  readonly offset: number;
  readonly key: string | undefined;
  readonly timestampMs: number;
  readonly bytes: Pick<KafkaMessage, 'key' | 'value'>;
}

export function toFetchedRecord(message: KafkaMessage): FetchedRecord {
  return {
    offset: Number(message.offset),
    key: message.key?.toString(),
    timestampMs: Number(message.timestamp),
    bytes: { key: message.key, value: message.value },
  };
}

export type Reading<T> =
  { readonly ok: true; readonly record: ConsumedRecord<T> } | { readonly ok: false; readonly reason: string };

/** Reads the bytes as a value of the topic; says why where they are none. Never throws. */
export function readRecord<T>(schema: TopicDefinition<T>['schema'], fetched: FetchedRecord): Reading<T> {
  const { offset, key, timestampMs, bytes } = fetched;
  let json: unknown;
  try {
    json = JSON.parse(bytes.value?.toString() ?? '');
  } catch {
    return { ok: false, reason: 'The value is not JSON.' };
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return { ok: true, record: { offset, key, timestampMs, value: parsed.data } };
  const [issue] = parsed.error.issues;
  return {
    ok: false,
    reason: `The value does not fit its topic: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
  };
}
