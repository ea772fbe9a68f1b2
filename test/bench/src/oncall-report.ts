import { quantile } from './ingest-figures.ts';
import { benchResult, type BenchResult } from './run-bench.ts';

/** The result of the on-call bench; all times in milliseconds, inside the service. */
export interface OnCallMeasurements {
  readonly schedules: number;
  /** `GET /v2/schedules/on-calls`, once for each time that it was asked. */
  readonly allMs: readonly number[];
  /** `GET /v2/schedules/{id}/on-calls` likewise. */
  readonly oneMs: readonly number[];
  /** The naive walk over all schedules. */
  readonly dayWalkMs: number;
  /** Schedules for which the walk found another user. */
  readonly disagreements: number;
}

/** The limits of the 95th percentile of all 5 000 schedules, and of one of them. */
const LIMITS = { allMs: 300, oneMs: 5 } as const;

/** The table of the bench, and whether the promises were kept. */
export function onCallResult(measured: OnCallMeasurements): BenchResult {
  const { schedules, dayWalkMs, disagreements } = measured;
  const [all, slowAll] = middleAndSlow(measured.allMs);
  const [one, slowOne] = middleAndSlow(measured.oneMs);
  const kept = slowAll < LIMITS.allMs && slowOne < LIMITS.oneMs && disagreements === 0;
  const rows = [
    ['inside the service', 'p50', 'p95', 'limit'],
    [`on-calls of ${schedules} schedules`, ms(all), ms(slowAll), `p95 < ${LIMITS.allMs} ms`],
    ['on-calls of one schedule', ms(one), ms(slowOne), `p95 < ${LIMITS.oneMs} ms`],
    ['day-walk over all of them', ms(dayWalkMs), '', ''],
    ['day-walk / service', (dayWalkMs / all).toFixed(1), '', ''],
    ['schedules where both disagree', String(disagreements), '', '0'],
  ];
  return benchResult(rows, kept);
}

function middleAndSlow(times: readonly number[]): readonly [number, number] {
  const sorted = times.toSorted((a, b) => a - b);
  return [quantile(sorted, 0.5), quantile(sorted, 0.95)];
}

const ms = (value: number): string => `${value.toFixed(0)} ms`;
