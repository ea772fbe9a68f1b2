import type { MessageSpan, MessageSpanOptions, MessageTracer } from '../tracing.ts';

/** A span as it was begun, and how it ended. */
export interface RecordedSpan extends MessageSpanOptions {
  readonly name: string;
  readonly context: string;
  ended: 'not' | 'well' | (string & {});
}

const SAMPLED = /^00-[\da-f]{32}-[\da-f]{16}-01$/;

/** Keeps the spans that are begun. Each has the trace of its parent, and the number of its beginning as its id. */
export class RecordingTracer implements MessageTracer {
  readonly spans: RecordedSpan[] = [];

  begin(name: string, options: MessageSpanOptions): MessageSpan | undefined {
    const from = [options.parent, ...(options.links ?? [])].find((trace) => SAMPLED.test(trace ?? ''));
    if (from === undefined) return undefined;
    const traceId = options.parent === undefined ? 'f'.repeat(32) : from.slice(3, 35);
    const context = `00-${traceId}-${String(this.spans.length + 1).padStart(16, '0')}-01`;
    const span: RecordedSpan = { name, context, ended: 'not', ...options };
    this.spans.push(span);
    return {
      context,
      end: (failure) => {
        span.ended = failure ?? 'well';
      },
    };
  }
}
