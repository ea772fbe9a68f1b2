import { quantile } from './ingest-figures.ts';
import type { LoadResult } from './ingest-load.ts';
import { benchResult, type BenchResult } from './run-bench.ts';

/** The longest wait of a caller, accepted or refused (F3). */
const WAIT_MS = 2_000;
/** The one refusal that is in order. */
const BUSY = '503';

export interface Overload {
  /** Creates a second that were accepted while callers waited for each other. */
  readonly capacity: number;
  readonly load: LoadResult;
  /** Accepted and never settled. */
  readonly lost: number;
}

/** Kept where everybody was answered in time, beside how late the load itself was, and nothing that was accepted is lost. */
export function overloadResult({ capacity, load, lost }: Overload): BenchResult {
  const { sent, accepted, latenciesMs, refused, refusedAfterMs, lagMs, seconds } = load;
  const busy = refused.get(BUSY) ?? 0;
  const other = [...refused].filter(([answer]) => answer !== BUSY);
  const limitMs = WAIT_MS + lagMs;
  const slowestMs = quantile(latenciesMs, 1);
  const ms = (value: number): string => `${value.toFixed(0)} ms`;
  const rows = [
    ['capacity, creates a second', String(capacity)],
    ['sent a second', (sent / seconds).toFixed(0)],
    ['accepted', String(accepted.length)],
    ['refused with 503', String(busy)],
    ['anything else', other.map(([answer, count]) => `${count} x ${answer}`).join(', ') || '0'],
    ['accepted after p50, p99, all', [0.5, 0.99, 1].map((q) => ms(quantile(latenciesMs, q))).join(', ')],
    ['refused after at most', ms(refusedAfterMs)],
    ['limit, with the lag of the load', ms(limitMs)],
    ['accepted and not settled', String(lost)],
  ];
  const inTime = accepted.length > 0 && slowestMs <= limitMs && refusedAfterMs <= limitMs;
  return benchResult(rows, inTime && other.length === 0 && lost === 0);
}
