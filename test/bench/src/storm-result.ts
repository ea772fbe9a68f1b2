import { quantile } from './ingest-figures.ts';
import type { LoadResult } from './ingest-load.ts';
import { benchResult, type BenchResult } from './run-bench.ts';
import type { QuietPages } from './storm-pages.ts';

/** How long a page of a user whose key does not flood may take, whatever another one sends. */
const WAIT_MS = 2_000;
/** Answers because a key is over its rate. */
const THROTTLED = '429';
/** Answers because the gateway is busy, which is correct for a caller who floods it (F3). */
const BUSY = '503';

/** One key floods with alerts that page no user. */
export interface Storm {
  /** The answers to the key that floods. */
  readonly flood: LoadResult;
  /** The most requests in that time by the rate of its domain. */
  readonly rateMost: number;
  /** The result of the pages of the key that sends little. */
  readonly quiet: QuietPages;
  /** How long after the load the last command of the bulk topic was settled; Infinity where it was not within a minute. */
  readonly bulkMs: number;
  /** Accepted of either key and never settled. */
  readonly lost: number;
}

/** Many keys flood, each with pages for one person. */
export interface PagingStorm {
  /** The answers to each key that floods. */
  readonly floods: readonly LoadResult[];
  /** The most requests of each by the rate of its domain. */
  readonly rateMost: number;
  readonly quiet: QuietPages;
  /** Alerts of the floods that a mail named. */
  readonly arrived: number;
  /** Of any key. */
  readonly mails: number;
  /** How often a mail named an alert again. */
  readonly repeated: number;
  readonly bulkMs: number;
  /** Accepted of any key and never settled. */
  readonly unsettled: number;
}

type Rows = readonly (readonly string[])[];

/** Kept where the quiet key's pages came in time, nothing accepted is lost, and the flood was held to its rate and answered so (F6). */
export function stormResult({ bulkMs, flood, rateMost, quiet, lost }: Storm): BenchResult {
  const held = isHeld(flood, rateMost) && throttledOf(flood) > 0;
  const rows = [
    ...rowsOfFloods([flood], rateMost, 'at least 1'),
    ...rowsOfQuiet(quiet),
    bulkRow(bulkMs),
    unsettledRow(lost),
  ];
  return benchResult(rows, held && lost === 0 && isInTime(quiet));
}

/**
 * Kept where the quiet person was paged in time although others are flooded (F2), nothing accepted is lost, every user was notified
 * of every alert once, and no flood is over its rate. A machine that is slower than all rates together says 503 before any 429.
 */
export function pagingStormResult(storm: PagingStorm): BenchResult {
  const { bulkMs, floods, rateMost, quiet, arrived, mails, repeated, unsettled } = storm;
  const accepted = floods.reduce((sum, flood) => sum + flood.accepted.length, 0);
  const missing = Math.max(0, accepted - arrived);
  const rows = [
    ...rowsOfFloods(floods, rateMost, ''),
    ['flood: alerts that mails named', String(arrived), ''],
    ['flood: accepted and not mailed', String(missing), '0'],
    ['mails of both', String(mails), ''],
    ['alerts mailed again', String(repeated), '0'],
    ...rowsOfQuiet(quiet),
    bulkRow(bulkMs),
    unsettledRow(unsettled),
  ];
  const held = floods.every((flood) => isHeld(flood, rateMost));
  return benchResult(rows, held && missing + repeated + unsettled === 0 && isInTime(quiet));
}

const throttledOf = ({ refused }: LoadResult): number => refused.get(THROTTLED) ?? 0;
const othersOf = ({ refused }: LoadResult) =>
  [...refused].filter(([answer]) => answer !== THROTTLED && answer !== BUSY);

const isHeld = (flood: LoadResult, rateMost: number): boolean =>
  othersOf(flood).length === 0 && flood.accepted.length <= rateMost;

const isInTime = ({ waitsMs }: QuietPages): boolean => quantile(waitsMs, 0.99) <= WAIT_MS;

function rowsOfFloods(floods: readonly LoadResult[], rateMost: number, throttledBar: string): Rows {
  const sum = (of: (flood: LoadResult) => number): number => floods.reduce((all, flood) => all + of(flood), 0);
  return [
    ['', 'is', 'limit'],
    ['flood: keys', String(floods.length), ''],
    ['flood: sent a second', sum(({ sent, seconds }) => sent / seconds).toFixed(0), ''],
    ['flood: accepted', String(sum(({ accepted }) => accepted.length)), ''],
    ['flood: accepted of one key', String(Math.max(...floods.map(({ accepted }) => accepted.length))), `${rateMost}`],
    ['flood: answered 429', String(sum(throttledOf)), throttledBar],
    ['flood: answered 503', String(sum(({ refused }) => refused.get(BUSY) ?? 0)), ''],
    ['flood: anything else', listed(floods.flatMap(othersOf)), '0'],
  ];
}

function rowsOfQuiet({ refused, waitsMs }: QuietPages): Rows {
  const wait = (q: number): string => `${quantile(waitsMs, q).toFixed(0)} ms`;
  return [
    ['quiet: pages', String(waitsMs.length), ''],
    ['quiet: had to come again', listed([...refused]), ''],
    ['quiet: page after p50', wait(0.5), ''],
    ['quiet: page after p99', wait(0.99), `${WAIT_MS} ms`],
    ['quiet: page after at most', wait(1), ''],
  ];
}

const bulkRow = (bulkMs: number): readonly string[] => [
  'bulk topic: empty after the load',
  bulkMs === Infinity ? 'over 60 s' : `${(bulkMs / 1_000).toFixed(1)} s`,
  '',
];

const unsettledRow = (count: number): readonly string[] => ['accepted and not settled', String(count), '0'];

const listed = (answers: readonly (readonly [string, number])[]): string =>
  answers.map(([answer, count]) => `${count} x ${answer}`).join(', ') || '0';
