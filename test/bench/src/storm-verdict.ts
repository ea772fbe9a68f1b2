import { quantile } from './ingest-figures.ts';
import type { LoadResult } from './ingest-load.ts';
import { verdict, type Verdict } from './run-bench.ts';

/** How long a page of somebody whose key does not flood may take, whatever another one sends. */
const WAIT_MS = 2_000;
/** That a key is over its rate. */
const THROTTLED = '429';
/** That the gateway is busy, which is in order for who floods it (F3). */
const BUSY = '503';

export interface Storm {
  /** What the key that floods heard. */
  readonly flood: LoadResult;
  /** What the rate of its domain lets through in that time. */
  readonly rateMost: number;
  /** Why the key that pages now and then had to come again, and how often. */
  readonly refused: ReadonlyMap<string, number>;
  /** From the first sending of each of its pages to its mail, ascending; infinite where none came. */
  readonly waitsMs: ArrayLike<number>;
  /** Accepted of either key and never settled. */
  readonly lost: number;
}

/** Kept where the quiet key's pages came in time, nothing accepted is lost, and the flood was held to its rate and told so (F1). */
export function stormVerdict({ flood, rateMost, refused, waitsMs, lost }: Storm): Verdict {
  const throttled = flood.refused.get(THROTTLED) ?? 0;
  const others = [...flood.refused].filter(([answer]) => answer !== THROTTLED && answer !== BUSY);
  const wait = (q: number): string => `${quantile(waitsMs, q).toFixed(0)} ms`;
  const listed = (answers: readonly (readonly [string, number])[]): string =>
    answers.map(([answer, count]) => `${count} x ${answer}`).join(', ') || '0';
  const rows = [
    ['', 'is', 'limit'],
    ['flood: sent a second', (flood.sent / flood.seconds).toFixed(0), ''],
    ['flood: accepted', String(flood.accepted.length), `at most ${rateMost}`],
    ['flood: told 429', String(throttled), 'at least 1'],
    ['flood: told 503', String(flood.refused.get(BUSY) ?? 0), ''],
    ['flood: anything else', listed(others), '0'],
    ['quiet: pages', String(waitsMs.length), ''],
    ['quiet: had to come again', listed([...refused]), ''],
    ['quiet: page after p50', wait(0.5), ''],
    ['quiet: page after p99', wait(0.99), `${WAIT_MS} ms`],
    ['quiet: page after at most', wait(1), ''],
    ['accepted and not settled', String(lost), '0'],
  ];
  const held = throttled > 0 && others.length === 0 && flood.accepted.length <= rateMost;
  return verdict(rows, held && lost === 0 && quantile(waitsMs, 0.99) <= WAIT_MS);
}
