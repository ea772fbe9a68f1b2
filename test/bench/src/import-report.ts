import { benchResult, type BenchResult } from './run-bench.ts';

/** Requests to one side, and what they took. Times in seconds. */
interface Requests {
  readonly seconds: number;
  readonly requests: number;
  /** Processor time of all processes of the installation. */
  readonly installationSeconds: number;
}

/** One command of an import. */
export interface ImportStep extends Requests {
  readonly name: string;
  /** Processor time of the command. */
  readonly commandSeconds: number;
  /** The most memory that the command had at a time. */
  readonly peakBytes: number;
}

/** The result of the import bench. */
export interface ImportMeasurements {
  readonly users: number;
  /** So many teams, and so many schedules. */
  readonly teams: number;
  /** Reads of the account: what a request takes at least. */
  readonly read: Requests;
  readonly steps: readonly ImportStep[];
}

/** Of how many things the limits are: 10 000 users, 2 000 teams, 2 000 schedules. */
const FULL_SIZE = 14_000;
/** In seconds, at the full size. A smaller account has its share. */
const LIMITS: Readonly<Record<string, number>> = { fetch: 600, apply: 300, 'apply again, no change': 60 };
const MAX_BYTES = 300 * 1_024 * 1_024;
const HEADING = [
  'time',
  'limit',
  'requests',
  '/s',
  'CPU of Tocsin',
  'a request',
  'to a read',
  'CPU',
  'memory < 300 MB',
];

/** The table of the bench, and whether the promises were kept. */
export function importResult({ read, steps, teams, users }: ImportMeasurements): BenchResult {
  const share = (users + 2 * teams) / FULL_SIZE;
  const limitOf = (name: string): number => (LIMITS[name] ?? Infinity) * share;
  const rows = steps.map((step) => [
    step.name,
    seconds(step.seconds),
    Number.isFinite(limitOf(step.name)) ? `< ${seconds(limitOf(step.name))}` : '',
    ...requestCells(step, read),
    seconds(step.commandSeconds),
    `${(step.peakBytes / 1_024 / 1_024).toFixed(0)} MB`,
  ]);
  const kept = steps.every((step) => step.seconds < limitOf(step.name) && step.peakBytes < MAX_BYTES);
  const title = `import of ${users} users, ${teams} teams, ${teams} schedules`;
  const cheapest = ['reads of the account', seconds(read.seconds), '', ...requestCells(read, read), '', ''];
  return benchResult([[title, ...HEADING], ...rows, cheapest], kept);
}

function requestCells(of: Requests, read: Requests): readonly string[] {
  const cost = costOf(of);
  return [
    String(of.requests),
    (of.requests / of.seconds).toFixed(0),
    seconds(of.installationSeconds),
    `${(cost * 1_000).toFixed(1)} ms`,
    (cost / costOf(read)).toFixed(1),
  ];
}

const costOf = ({ installationSeconds, requests }: Requests): number => installationSeconds / Math.max(1, requests);

const seconds = (value: number): string => `${value.toFixed(1)} s`;
