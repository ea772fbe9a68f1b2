import type { BacklogState } from '@tocsin/events';

/** Older reports do not count: their consumer may be stuck or gone. */
const FRESH_MS = 2_000;

/** The backlogs that the consumers after this service report. */
export class LaterBacklogs {
  /** A monotonic clock in milliseconds. */
  readonly #nowMs: () => number;
  readonly #reports = new Map<string, BacklogState & { readonly atMs: number }>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Takes a report about the partition `id`. */
  report(id: string, backlog: BacklogState): void {
    this.#reports.set(id, { ...backlog, atMs: this.#nowMs() });
  }

  /** For how long an alert waits there: at one consumer after the other, at each as long as at its slowest partition. Milliseconds. */
  waitMs(): number {
    const since = this.#nowMs() - FRESH_MS;
    const longest = new Map<string, number>();
    for (const { ageMs, atMs, consumer } of this.#reports.values())
      if (atMs >= since) longest.set(consumer, Math.max(ageMs, longest.get(consumer) ?? 0));
    return longest.values().reduce((sum, ageMs) => sum + ageMs, 0);
  }
}
