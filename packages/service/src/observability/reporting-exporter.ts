import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

const REPORT_EVERY_MS = 60_000;

/** Called at most once a minute, real time, with the number of dropped spans since the last call and the last error. */
export type OnDropped = (spans: number, error: unknown) => void;

/** Reports the spans that `exporter` cannot send; they are dropped. */
export class ReportingExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #onDropped: OnDropped;
  #dropped = 0;
  #reportedAtMs = -Infinity;

  constructor(exporter: SpanExporter, onDropped: OnDropped) {
    this.#exporter = exporter;
    this.#onDropped = onDropped;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#exporter.export(spans, (result) => {
      if (result.code !== ExportResultCode.SUCCESS) this.#drop(spans.length, result.error);
      done({ code: ExportResultCode.SUCCESS });
    });
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }

  forceFlush(): Promise<void> {
    return this.#exporter.forceFlush?.() ?? Promise.resolve();
  }

  #drop(spans: number, error: unknown): void {
    this.#dropped += spans;
    const now = performance.now();
    if (now - this.#reportedAtMs < REPORT_EVERY_MS) return;
    this.#reportedAtMs = now;
    this.#onDropped(this.#dropped, error);
    this.#dropped = 0;
  }
}
