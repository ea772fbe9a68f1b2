/** As in OpenTelemetry. */
export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

/** Only ids, counts and constants: never a key, an address, or text of an alert. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  readonly kind: SpanKind;
  /** A `traceparent`. */
  readonly parent?: string | undefined;
  /** `traceparent`s of spans that caused this one and do not wait for it. */
  readonly links?: readonly string[];
  readonly attributes?: SpanAttributes;
}

/** A sampled span. Only the first `end` counts. */
export interface Span {
  /** The W3C `traceparent` (55 characters) of this span, for its children. */
  readonly context: string;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** `failure` is a constant that says how the work failed. */
  end(failure?: string): void;
}

/**
 * Makes spans only where a trace is sampled. Without a span, nothing is written to headers, rows or messages. Never throws, even
 * for an invalid `traceparent`.
 */
export interface Tracer {
  /** Whether anything is traced at all. */
  readonly on: boolean;
  /** Begins a trace, or a child of `parent`. Undefined where it is not sampled. */
  beginTrace(name: string, options: SpanOptions): Span | undefined;
  /**
   * Begins a child of `parent` or, without one, a trace with `links`. Undefined unless one of these is sampled.
   */
  begin(name: string, options: SpanOptions): Span | undefined;
  /** Runs `work` with `span` as {@link current}, also in all that it awaits. */
  within<T>(span: Span, work: () => T): T;
  /** The context of the span in which the caller runs. */
  current(): string | undefined;
  /** Sends the last spans, for at most a second of real time. Never throws. */
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

/** The fields of a log line about the current trace. */
export function traceFields(tracer: Tracer): { readonly traceId?: string } {
  const context = tracer.current();
  return context === undefined ? {} : { traceId: context.slice(3, 35) };
}
