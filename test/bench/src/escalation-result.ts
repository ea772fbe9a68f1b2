import { quantile } from './ingest-figures.ts';
import { benchResult, type BenchResult } from './run-bench.ts';

/** Messages that were due at known instants. */
export interface DueMessages {
  readonly due: number;
  /** From when each was due until its mail came, in milliseconds, ascending; of those that came. */
  readonly waitsMs: Float64Array;
  /** Mails beyond one for each. */
  readonly repeated: number;
}

export interface EscalationMeasurements {
  /** Escalations whose rules are due in the same second. */
  readonly together: DueMessages;
  /** Timers that wait for another day meanwhile. */
  readonly pending: number;
  /** Rules that are due one after the other while those wait. */
  readonly single: DueMessages;
  /** Alerts that page one user each, at once. */
  readonly steady: DueMessages & { readonly rate: number };
}

const TOGETHER_BAR_MS = 10_000;
const SINGLE_BAR_MS = 1_000;
const STEADY_BARS_MS = { p50: 500, p99: 2_000 };

const ms = (values: Float64Array, q: number): string => `${quantile(values, q).toFixed(0)} ms`;

/** The table, and whether every due page was mailed in time, each once. */
export function escalationResult({ pending, single, steady, together }: EscalationMeasurements): BenchResult {
  const row = (name: string, { due, repeated, waitsMs }: DueMessages, limit: string) => [
    name,
    ...[due, due - waitsMs.length, repeated].map(String),
    ...[0.5, 0.99, 1].map((q) => ms(waitsMs, q)),
    limit,
  ];
  const rows = [
    ['', 'due', 'missing', 'twice', 'p50', 'p99', 'worst', 'limit'],
    row('due in the same second', together, `all within ${TOGETHER_BAR_MS} ms`),
    row(`one by one, ${pending} runs waiting`, single, `p99 ${SINGLE_BAR_MS} ms`),
    row(`${steady.rate} alerts a second`, steady, `p50 ${STEADY_BARS_MS.p50} ms, p99 ${STEADY_BARS_MS.p99} ms`),
  ];
  const isWhole = ({ due, repeated, waitsMs }: DueMessages) => waitsMs.length === due && repeated === 0;
  const kept =
    [together, single, steady].every(isWhole) &&
    quantile(together.waitsMs, 1) <= TOGETHER_BAR_MS &&
    quantile(single.waitsMs, 0.99) <= SINGLE_BAR_MS &&
    quantile(steady.waitsMs, 0.5) <= STEADY_BARS_MS.p50 &&
    quantile(steady.waitsMs, 0.99) <= STEADY_BARS_MS.p99;
  return benchResult(rows, kept);
}
