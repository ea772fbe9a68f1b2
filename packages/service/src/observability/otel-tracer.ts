import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import {
  ROOT_CONTEXT,
  SpanKind as Kind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Span as OtelSpan,
  type SpanContext,
  type Tracer as OtelSpans,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import { LinkedSampler } from './linked-sampler.ts';
import { ReportingExporter, type OnDropped } from './reporting-exporter.ts';
import type { TraceSampling, TraceSettings } from './trace-settings.ts';
import type { Span, SpanAttributes, SpanKind, SpanOptions, Tracer } from './tracer.ts';

export interface SpanExport {
  readonly service: string;
  /** Unique among the processes of the service. */
  readonly instance: string;
  readonly settings: TraceSettings;
  readonly onDropped: OnDropped;
  /** How long `close` waits for the last spans; 1 s by default. */
  readonly closeWithinMs?: number;
}

const KINDS: Readonly<Record<SpanKind, Kind>> = {
  server: Kind.SERVER,
  client: Kind.CLIENT,
  producer: Kind.PRODUCER,
  consumer: Kind.CONSUMER,
  internal: Kind.INTERNAL,
};

/** Spans wait for a second, so that many share a request. More than `MAX_WAITING` are dropped. */
const SEND_EVERY_MS = 1_000;
const MAX_WAITING = 2_048;
const SEND_TIMEOUT_MS = 5_000;
const CLOSE_TIMEOUT_MS = 1_000;

/** Traces with the libraries of OpenTelemetry. Nothing of it is global, so that several services can share a process. */
export class OtelTracer implements Tracer {
  readonly on = true;
  readonly #provider: TracerProvider;
  readonly #spans: OtelSpans;
  /** Whether traces are sampled by their id. Then callers' ids are not used, because they could choose ids that are sampled. */
  readonly #isDrawn: boolean;
  readonly #closeWithinMs: number;
  readonly #current = new AsyncLocalStorage<string>();

  constructor(exporter: SpanExporter, options: Omit<SpanExport, 'onDropped'>) {
    const { instance, service, settings, closeWithinMs = CLOSE_TIMEOUT_MS } = options;
    this.#closeWithinMs = closeWithinMs;
    const { resource, sampling, serviceName = `tocsin-${service}` } = settings;
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({
        'service.instance.id': instance,
        ...resource,
        'service.name': serviceName,
      }),
      sampler: new LinkedSampler(samplerOf(sampling)),
      spanProcessors: [
        new BatchSpanProcessor({ exporter, scheduledDelayMillis: SEND_EVERY_MS, maxQueueSize: MAX_WAITING }),
      ],
    });
    this.#spans = this.#provider.getTracer('tocsin');
    this.#isDrawn = !sampling.asParent && sampling.share < 1;
  }

  static exporting(options: SpanExport): OtelTracer {
    const { url, headers } = options.settings;
    const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: SEND_TIMEOUT_MS });
    return new OtelTracer(new ReportingExporter(exporter, options.onDropped), options);
  }

  beginTrace(name: string, options: SpanOptions): Span | undefined {
    return this.#begin(name, options, this.#isDrawn ? undefined : contextOf(options.parent));
  }

  begin(name: string, options: SpanOptions): Span | undefined {
    const parent = contextOf(options.parent);
    const isLinked = options.links?.some((link) => isSampled(contextOf(link))) ?? false;
    return isSampled(parent) || isLinked ? this.#begin(name, options, parent) : undefined;
  }

  within<T>(span: Span, work: () => T): T {
    return this.#current.run(span.context, work);
  }

  current(): string | undefined {
    return this.#current.getStore();
  }

  async close(): Promise<void> {
    const sent = this.#provider.shutdown().catch(() => undefined);
    await Promise.race([sent, pause(this.#closeWithinMs, undefined, { ref: false })]);
  }

  #begin(
    name: string,
    { attributes = {}, kind, links = [] }: SpanOptions,
    parent: SpanContext | undefined,
  ): Span | undefined {
    const options = {
      kind: KINDS[kind],
      attributes,
      links: links.flatMap((link) => {
        const context = contextOf(link);
        return context === undefined ? [] : [{ context }];
      }),
    };
    const context = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
    const span = this.#spans.startSpan(name, options, context);
    return isSampled(span.spanContext()) ? new SampledSpan(span) : undefined;
  }
}

class SampledSpan implements Span {
  readonly context: string;
  readonly #span: OtelSpan;

  constructor(span: OtelSpan) {
    const { spanId, traceId } = span.spanContext();
    this.context = `00-${traceId}-${spanId}-01`;
    this.#span = span;
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  end(failure?: string): void {
    if (failure !== undefined) this.#span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
    this.#span.end();
  }
}

function contextOf(traceparent: string | undefined): SpanContext | undefined {
  const context = traceparent === undefined ? null : parseTraceParent(traceparent);
  return context === null ? undefined : { ...context, isRemote: true };
}

const isSampled = (context: SpanContext | undefined): boolean =>
  context !== undefined && (context.traceFlags & TraceFlags.SAMPLED) !== 0;

function samplerOf({ asParent, share }: TraceSampling) {
  const root = new TraceIdRatioBasedSampler(share);
  return asParent ? new ParentBasedSampler({ root }) : root;
}
