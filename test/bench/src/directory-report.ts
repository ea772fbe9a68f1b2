import { quantile } from './ingest-figures.ts';
import { benchResult, type BenchResult } from './run-bench.ts';

/** The result of the directory bench; all times in milliseconds. */
export interface DirectoryMeasurements {
  readonly users: number;
  /** A page of 100 of them, inside the service, and the same read without a service. */
  readonly pageMs: readonly number[];
  readonly plainPageMs: readonly number[];
  /** From the answer to a rename until another service answers with the new name. */
  readonly visibleMs: readonly number[];
  /** One record to a topic of Kafka and back. */
  readonly roundTripMs: readonly number[];
  /** Creates that named a team right after it was made, and how many of them did not find it. */
  readonly uses: number;
  readonly missed: number;
}

/** The limits of the 99th percentile of a page, and of a change until it is visible. */
const LIMITS = { pageMs: 20, visibleMs: 100 } as const;

/** The table of the bench, and whether the promises were kept. */
export function directoryResult(measured: DirectoryMeasurements): BenchResult {
  const { users, uses, missed } = measured;
  const page = middleAndWorst(measured.pageMs);
  const plain = middleAndWorst(measured.plainPageMs);
  const visible = middleAndWorst(measured.visibleMs);
  const roundTrip = middleAndWorst(measured.roundTripMs);
  const kept = page.worst < LIMITS.pageMs && visible.worst < LIMITS.visibleMs && missed === 0;
  const rows = [
    ['directory', 'p50', 'p99', 'limit'],
    [`page of 100 of ${users} users, in the service`, ms(page.middle), ms(page.worst), `p99 < ${LIMITS.pageMs} ms`],
    ['the same read, without the service', ms(plain.middle), ms(plain.worst), ''],
    ['page / read', ...ratios(page, plain), ''],
    ['change until another service shows it', ms(visible.middle), ms(visible.worst), `p99 < ${LIMITS.visibleMs} ms`],
    ['one record to Kafka and back', ms(roundTrip.middle), ms(roundTrip.worst), ''],
    ['change / record', ...ratios(visible, roundTrip), ''],
    [`new teams not found by another service, of ${uses}`, String(missed), '', '0'],
  ];
  return benchResult(rows, kept);
}

interface Spread {
  readonly middle: number;
  readonly worst: number;
}

function middleAndWorst(times: readonly number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b);
  return { middle: quantile(sorted, 0.5), worst: quantile(sorted, 0.99) };
}

const ratios = (of: Spread, to: Spread): readonly string[] => [
  (of.middle / to.middle).toFixed(1),
  (of.worst / to.worst).toFixed(1),
];

const ms = (value: number): string => `${value.toFixed(1)} ms`;
