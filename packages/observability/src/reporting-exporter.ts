import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

const REPORT_EVERY_MS = 60_000;

/** Hears, at most once a minute of real time, how many spans could not be sent since it heard last, and why the last of them. */
export type OnDropped = (spans: number, error: unknown) => void;

/** Sends spans by `exporter`; those that it cannot send are dropped and reported. */
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
