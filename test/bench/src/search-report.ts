import { quantile } from './ingest-figures.ts';
import { benchResult, type BenchResult } from './run-bench.ts';
import type { Bar } from './search-queries.ts';

/** The result of one query, sent many times. */
export interface Answers {
  readonly name: string;
  readonly bar: Bar;
  /** Milliseconds, of every answer. */
  readonly tookMs: readonly number[];
  /** Statuses besides 200, each once. */
  readonly refusals: readonly number[];
  /** Of one time for each wording, together. */
  readonly examined: { readonly keys: number; readonly documents: number };
}

/** The longest time of a search before it is refused, with an allowance for the network (A11). */
const RULE_MS = 2_500;

/** The table of the bench; `byIdMs` are the times of the driver's own look-up by id, of the same run. */
export function searchResult(byIdMs: readonly number[], all: readonly Answers[]): BenchResult {
  const byId = at(byIdMs, 0.5);
  const judged = all.map((answers) => ({ ...answers, kept: isKept(answers) }));
  const rows = [
    ['first pages', 'p50', 'p99', 'bar', '', 'keys', 'documents', 'times a look-up by id'],
    ['look-up by _id, driver alone', ms(byId), ms(at(byIdMs, 0.99)), '', '', '', '', '1'],
    ...judged.map(({ name, tookMs, refusals, bar, examined, kept }) => [
      ...[name, ms(at(tookMs, 0.5)), ms(at(tookMs, 0.99)), barText(bar)],
      ...[[kept ? 'kept' : 'MISSED', ...refusals].join(' '), String(examined.keys), String(examined.documents)],
      (at(tookMs, 0.5) / byId).toFixed(1),
    ]),
  ];
  return benchResult(
    rows,
    judged.every(({ kept }) => kept),
  );
}

function isKept({ bar, tookMs, refusals }: Answers): boolean {
  const slowest = at(tookMs, 0.99);
  if (bar === 'rule') return slowest < RULE_MS && refusals.every((status) => status === 422);
  return slowest < bar.ms && refusals.length === 0;
}

const at = (times: readonly number[], q: number): number =>
  quantile(
    times.toSorted((a, b) => a - b),
    q,
  );
const barText = (bar: Bar): string => (bar === 'rule' ? '2 s or 422' : `< ${bar.ms} ms`);
const ms = (value: number): string => `${value.toFixed(1)} ms`;
