/** What a span stands for: a request taken, a request made, a message published, a message settled, or work of our own. */
export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

/** Ids, counts and words of ours: never a key, an address, or a word of an alert. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  readonly kind: SpanKind;
  /** The `traceparent` of what it is a part of. */
  readonly parent?: string | undefined;
  /** The `traceparent`s of what led to it without waiting for it. */
  readonly links?: readonly string[];
  readonly attributes?: SpanAttributes;
}

/** Work that is traced, from its beginning until `end`, which counts once. */
export interface Span {
  /** What a part of this work names as its parent: a W3C `traceparent` (55 characters), sampled. */
  readonly context: string;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** `failure` is a word of ours that says how it failed. */
  end(failure?: string): void;
}

/**
 * Traces what is sampled, and nothing else: whoever has no span writes nothing about it into any header, row or message. It never
 * throws, whatever a `traceparent` holds.
 */
export interface Tracer {
  /** Whether anything is traced at all. */
  readonly on: boolean;
  /** Begins a trace, or a part of the trace of `parent`; undefined where it is not sampled. */
  beginTrace(name: string, options: SpanOptions): Span | undefined;
  /**
   * Begins a part of the trace of `parent`, or, without one, a trace that is linked to the others; undefined unless a sampled one
   * is named.
   */
  begin(name: string, options: SpanOptions): Span | undefined;
  /** Runs `work` so that it and all that it awaits has `span` as its {@link current}. */
  within<T>(span: Span, work: () => T): T;
  /** The context of the span that the caller works for. */
  current(): string | undefined;
  /** Sends what is left, for at most a second of real time. Never throws. */
  close(): Promise<void>;
}

/** Traces nothing. */
export const NO_TRACER: Tracer = {
  on: false,
  beginTrace: () => undefined,
  begin: () => undefined,
  within: (_, work) => work(),
  current: () => undefined,
  close: () => Promise.resolve(),
};

/** What a line of the log says of the trace that it belongs to. */
export function traceFields(tracer: Tracer): { readonly traceId?: string } {
  const context = tracer.current();
  return context === undefined ? {} : { traceId: context.slice(3, 35) };
}
