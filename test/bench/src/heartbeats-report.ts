import { quantile } from './ingest-figures.ts';
import { benchResult, type BenchResult } from './run-bench.ts';

/** The report of a monitor about itself since the previous report. */
export interface MonitorReport {
  /** Of each expiry, from when it was due until it was reported, in milliseconds. */
  readonly lateMs: readonly number[];
  /** Of the process, since its start. */
  readonly cpuMs: number;
}

export interface HeartbeatMeasurements {
  readonly heartbeats: number;
  readonly pingsPerSecond: number;
  /** Of each ping, from when it should have been sent until it was answered. */
  readonly pingMs: readonly number[];
  /** Answers besides 202. */
  readonly refused: number;
  /** Heartbeats that expired although they were pinged in time. */
  readonly wrongly: number;
  readonly lateMs: readonly number[];
  /** A write of one field to one document by the driver alone, at the same rate. */
  readonly plainWriteMs: readonly number[];
  /** Share of one core that the monitor took while it was pinged, and while all expired. */
  readonly cores: readonly [pinged: number, expiring: number];
}

const PING_BAR_MS = 20;
const NOTICED_BAR_MS = 1_000;

const at = (values: readonly number[], q: number): number =>
  quantile(
    values.toSorted((a, b) => a - b),
    q,
  );
const ms = (value: number): string => `${value.toFixed(1)} ms`;

/** The table, and whether pings and expiries keep their bars: p99 under 20 ms, and none noticed later than 1 s. */
export function heartbeatsResult(found: HeartbeatMeasurements): BenchResult {
  const { heartbeats, lateMs, pingMs, pingsPerSecond, plainWriteMs, refused, wrongly } = found;
  const pingKept = at(pingMs, 0.99) < PING_BAR_MS && refused === 0 && wrongly === 0;
  const allNoticed = lateMs.length === heartbeats && at(lateMs, 1) < NOTICED_BAR_MS;
  const [pinged, expiring] = found.cores.map((share) => `${(share * 100).toFixed(0)} % of a core`);
  const row = (name: string, values: readonly number[], more: readonly string[]) => [
    name,
    ...[0.5, 0.99, 1].map((q) => ms(at(values, q))),
    ...more,
  ];
  const ratio = `${(at(pingMs, 0.5) / at(plainWriteMs, 0.5)).toFixed(1)} plain writes`;
  const rows = [
    ['', 'p50', 'p99', 'worst', 'count', 'monitor', 'bar', ''],
    row('plain write, driver alone', plainWriteMs, [String(plainWriteMs.length), '', '', '']),
    row(`ping, ${pingsPerSecond}/s`, pingMs, [String(pingMs.length), pinged ?? '', 'p99 < 20 ms', ratio]),
    row('expiry noticed and reported', lateMs, [
      `${lateMs.length} of ${heartbeats}`,
      expiring ?? '',
      'worst < 1 s',
      '',
    ]),
  ];
  const { table, kept } = benchResult(rows, pingKept && allNoticed);
  const wrong = `  refused pings ${refused}, expired in spite of pings ${wrongly}`;
  return { table: `${table}\n${wrong}`, kept };
}
