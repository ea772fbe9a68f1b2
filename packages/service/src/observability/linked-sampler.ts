import { trace, TraceFlags, type Attributes, type Context, type Link, type SpanKind } from '@opentelemetry/api';
import { SamplingDecision, type Sampler, type SamplingResult } from '@opentelemetry/sdk-trace';

/**
 * Samples a trace that begins with a link to a sampled one, so that later effects of a sampled trace are visible too. Samples other
 * traces as `rest` does.
 */
export class LinkedSampler implements Sampler {
  readonly #rest: Sampler;

  constructor(rest: Sampler) {
    this.#rest = rest;
  }

  shouldSample(
    context: Context,
    traceId: string,
    name: string,
    kind: SpanKind,
    attributes: Attributes,
    links: Link[],
  ): SamplingResult {
    const isLinked = links.some((link) => (link.context.traceFlags & TraceFlags.SAMPLED) !== 0);
    if (isLinked && trace.getSpanContext(context) === undefined)
      return { decision: SamplingDecision.RECORD_AND_SAMPLED };
    return this.#rest.shouldSample(context, traceId, name, kind, attributes, links);
  }

  toString(): string {
    return `LinkedSampler{${this.#rest.toString()}}`;
  }
}
