import type { ConsumedRecord, Settlement, Traced } from '@tocsin/contracts';

/** What messages need of a tracer: the one of `@tocsin/observability` is one. */
export interface MessageTracer {
  /** Begins a part of the trace of `parent`, or one linked to others; undefined unless a sampled trace is named. */
  begin(name: string, options: MessageSpanOptions): MessageSpan | undefined;
}

/** What a span of a message says of it. */
export interface MessageSpanOptions {
  readonly kind: 'producer' | 'consumer';
  readonly parent?: string | undefined;
  readonly links?: readonly string[];
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** One publication or settlement of a message, until its end. */
export interface MessageSpan {
  /** As the header carries it. */
  readonly context: string;
  end(failure?: string): void;
}

/** The message as its topic has it. */
export function withoutTrace<T>(message: T): T {
  const { trace } = message as Traced;
  return trace === undefined ? message : { ...message, trace: undefined };
}

/** Begins the publication of each message that is traced, in the place of the message; without a tracer, of none. */
export function publications(
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

/** Ends what `publications` began, once `published` has. */
export async function untilPublished(
  spans: readonly (MessageSpan | undefined)[],
  published: Promise<void>,
): Promise<void> {
  try {
    await published;
    for (const span of spans) span?.end();
  } catch (error) {
    for (const span of spans) span?.end(error instanceof Error ? error.name : 'unknown');
    throw error;
  }
}

/** Some records of a partition while they are settled together. */
export interface Settled {
  readonly topic: string;
  readonly partition: number;
  readonly fetched: readonly Fetched[];
}

interface Fetched {
  readonly offset: number;
  readonly trace?: string | undefined;
}

/**
 * The spans of records that are settled together. Each traced message has one, which is a part of its own trace: what its settlement
 * leads to is a part of that one. Together they have another, in a trace of its own that is linked to each of them.
 */
export class TracedRecords<T> {
  /** The records, each traced one with its own span as its trace. */
  readonly records: readonly ConsumedRecord<T>[];
  readonly #spans: readonly MessageSpan[];

  /** Undefined where nothing of it is traced. `records` stand in the order of what was `fetched`. */
  static begin<T>(
    tracer: MessageTracer,
    settled: Settled,
    records: readonly ConsumedRecord<T>[],
  ): TracedRecords<T> | undefined {
    const spans = records.map((record, index) => messageSpan(tracer, settled, record, settled.fetched[index]));
    return spans.some((span) => span !== undefined) ? new TracedRecords(tracer, settled, records, spans) : undefined;
  }

  private constructor(
    tracer: MessageTracer,
    { topic, partition }: Settled,
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
    const batch = tracer.begin(`settle ${topic}`, { kind: 'consumer', links, attributes });
    this.#spans = batch === undefined ? own : [...own, batch];
    this.records = records.map((record, index) => {
      const trace = spans[index]?.context;
      return trace === undefined ? record : { ...record, value: { ...record.value, trace } };
    });
  }

  end({ outcome }: Settlement): void {
    for (const span of this.#spans) span.end(outcome === 'done' ? undefined : outcome);
  }
}

function messageSpan(
  tracer: MessageTracer,
  { topic, partition }: Settled,
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

/** What a message is about, by ids of ours: never its key, which may be a word of an alert. */
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
