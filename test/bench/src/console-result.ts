import type { Bulk, OpeningTimes, Scrolled } from './console-page.ts';
import { quantile } from './ingest-figures.ts';
import { benchResult, type BenchResult } from './run-bench.ts';

/** The delays that users notice, for the list and for a key, and the cost of a tab in the background. */
const LIMITS = { paintMs: 1_000, keyMs: 100, requestsPerSecond: 0.2 } as const;

export interface ConsoleFigures {
  /** Open alerts of the installation. */
  readonly alerts: number;
  /** Of each time that the list was opened by a browser which had nothing of it. */
  readonly opened: readonly OpeningTimes[];
  /** The longest time from a key in the search to the paint after it. */
  readonly keyMs: number;
  readonly scrolled: Scrolled;
  /** Of a tab that is open and at rest. */
  readonly requestsPerSecond: number;
  readonly bulk: Bulk;
  /** Processor time of the installation for all but opening. */
  readonly cpuSeconds: number;
}

/** Kept where the median of the first paints, the slowest key and the requests at rest are within the limits. */
export function consoleResult(figures: ConsoleFigures): BenchResult {
  const { alerts, bulk, cpuSeconds, keyMs, opened, requestsPerSecond, scrolled } = figures;
  const median = (of: (times: OpeningTimes) => number) =>
    quantile(
      opened.map(of).sort((a, b) => a - b),
      0.5,
    );
  const paintMs = median((times) => times.paintMs);
  const ms = (value: number) => `${Math.round(value)} ms`;
  const rows = [
    [`${alerts} open alerts`, 'measured', 'limit'],
    [`first paint, median of ${opened.length}`, ms(paintMs), ms(LIMITS.paintMs)],
    ['first row of the list, median', ms(median((times) => times.listMs)), ''],
    ['key in the search to paint, longest', ms(keyMs), ms(LIMITS.keyMs)],
    [`longest task while ${scrolled.passed} alerts pass`, ms(scrolled.longestTaskMs), ''],
    ['elements of the page', String(scrolled.nodes), ''],
    ['requests a second at rest', requestsPerSecond.toFixed(2), String(LIMITS.requestsPerSecond)],
    [`acknowledging ${bulk.count} at once`, `${bulk.seconds.toFixed(1)} s`, ''],
    ['processor time of the installation', `${cpuSeconds.toFixed(1)} s`, ''],
  ];
  const kept = paintMs < LIMITS.paintMs && keyMs < LIMITS.keyMs && requestsPerSecond < LIMITS.requestsPerSecond;
  return benchResult(rows, kept);
}
