import type { BatchResult, ConsumedRecord, Traced } from '@tocsin/events';

/** The part of a tracer that messages need; that of `@tocsin/service` has it. */
export interface MessageTracer {
  /** Begins a span that is a child of `parent` or linked to `links`. Undefined unless one of these is sampled. */
  begin(name: string, options: MessageSpanOptions): MessageSpan | undefined;
}

export interface MessageSpanOptions {
  readonly kind: 'producer' | 'consumer';
  readonly parent?: string | undefined;
  readonly links?: readonly string[];
  readonly attributes: Readonly<Record<string, string | number>>;
}

export interface MessageSpan {
  /** The value of a `traceparent` header. */
  readonly context: string;
  end(failure?: string): void;
}

/** The message as it is written to its topic: its trace goes into a header. */
export function withoutTrace<T>(message: T): T {
  const { trace } = message as Traced;
  return trace === undefined ? message : { ...message, trace: undefined };
}

/** Begins a span for each traced message, at the index of the message. Without a tracer there are none. */
export function publishSpans(
  tracer: MessageTracer | undefined,
  topic: string,
  messages: readonly unknown[],
): readonly (MessageSpan | undefined)[] {
  if (tracer === undefined) return NONE;
  return messages.map((message) => {
    const { trace } = message as Traced;
    if (trace === undefined) return undefined;
    const attributes = { ...about(topic, 'send'), ...idsOf(message) };
    return tracer.begin(`publish ${topic}`, { kind: 'producer', parent: trace, attributes });
  });
}

const NONE: readonly undefined[] = [];

/** Settles as `published`, and ends the spans. */
export async function endWith(spans: readonly (MessageSpan | undefined)[], published: Promise<void>): Promise<void> {
  try {
    await published;
    for (const span of spans) span?.end();
  } catch (error) {
    for (const span of spans) span?.end(error instanceof Error ? error.name : 'unknown');
    throw error;
  }
}

/** Records of a partition that are processed together. */
export interface ProcessedRecords {
  readonly topic: string;
  readonly partition: number;
  readonly fetched: readonly Fetched[];
}

interface Fetched {
  readonly offset: number;
  readonly trace?: string | undefined;
}

/**
 * The spans of records that are processed together. Each traced record has one in its own trace, the parent of what its processing
 * leads to. All of them have one more together, in a trace of its own with a link to each.
 */
export class TracedRecords<T> {
  /** The records. The trace of each traced one is its own span. */
  readonly records: readonly ConsumedRecord<T>[];
  readonly #spans: readonly MessageSpan[];

  /** Undefined where no record is traced. `records` have the order of `processed.fetched`. */
  static begin<T>(
    tracer: MessageTracer,
    processed: ProcessedRecords,
    records: readonly ConsumedRecord<T>[],
  ): TracedRecords<T> | undefined {
    const spans = records.map((record, index) => messageSpan(tracer, processed, record, processed.fetched[index]));
    return spans.some((span) => span !== undefined) ? new TracedRecords(tracer, processed, records, spans) : undefined;
  }

  private constructor(
    tracer: MessageTracer,
    { topic, partition }: ProcessedRecords,
    records: readonly ConsumedRecord<T>[],
    spans: readonly (MessageSpan | undefined)[],
  ) {
    const own = spans.filter((span) => span !== undefined);
    const attributes = {
      ...about(topic, 'process'),
      'messaging.destination.partition.id': String(partition),
      'messaging.batch.message_count': records.length,
    };
    const links = own.map(({ context }) => context);
    const batch = tracer.begin(`process batch of ${topic}`, { kind: 'consumer', links, attributes });
    this.#spans = batch === undefined ? own : [...own, batch];
    this.records = records.map((record, index) => {
      const trace = spans[index]?.context;
      return trace === undefined ? record : { ...record, value: { ...record.value, trace } };
    });
  }

  end({ outcome }: BatchResult): void {
    for (const span of this.#spans) span.end(outcome === 'done' ? undefined : outcome);
  }
}

function messageSpan(
  tracer: MessageTracer,
  { topic, partition }: ProcessedRecords,
  { value }: { readonly value: unknown },
  fetched: Fetched | undefined,
): MessageSpan | undefined {
  if (fetched?.trace === undefined) return undefined;
  const attributes = {
    ...about(topic, 'process'),
    'messaging.destination.partition.id': String(partition),
    'messaging.kafka.offset': fetched.offset,
    ...idsOf(value),
  };
  return tracer.begin(`process ${topic}`, { kind: 'consumer', parent: fetched.trace, attributes });
}

const about = (topic: string, operation: 'send' | 'process') => ({
  'messaging.system': 'kafka',
  'messaging.destination.name': topic,
  'messaging.operation.type': operation,
});

/** Our ids in a message. Its key is left out, because it may be text of an alert. */
function idsOf(message: unknown): Readonly<Record<string, string>> {
  const ids = Object(message) as Readonly<Record<string, unknown>>;
  const named = {
    'tocsin.request_id': ids['requestId'],
    'tocsin.alert_id': ids['alertId'],
    'tocsin.page_id': ids['pageId'],
  };
  return Object.fromEntries(
    Object.entries(named).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
