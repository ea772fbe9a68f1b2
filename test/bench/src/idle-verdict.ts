import type { ProcessSample } from './process-tree.ts';

/** What the stack may take while nothing happens. */
const IDLE_LIMITS = { rssBytes: 1.2 * 1024 ** 3, cores: 0.1 } as const;

export interface IdleRow {
  readonly name: string;
  readonly rssBytes: number;
  /** Share of one core. */
  readonly cores: number;
}

/** One row for each name: memory at the end, CPU between the two samples. */
export function idleRows(
  before: readonly ProcessSample[],
  after: readonly ProcessSample[],
  seconds: number,
): readonly IdleRow[] {
  const used = new Map(before.map(({ pid, cpuSeconds }) => [pid, cpuSeconds]));
  const rows = new Map<string, IdleRow>();
  for (const { pid, name, rssBytes, cpuSeconds } of after) {
    const row = rows.get(name) ?? { name, rssBytes: 0, cores: 0 };
    const cores = row.cores + (cpuSeconds - (used.get(pid) ?? 0)) / seconds;
    rows.set(name, { name, rssBytes: row.rssBytes + rssBytes, cores });
  }
  return [...rows.values()].sort((a, b) => b.rssBytes - a.rssBytes);
}

/** The table, the sums, and whether they are within the limits. */
export function idleVerdict(rows: readonly IdleRow[]): { readonly table: string; readonly within: boolean } {
  const total: IdleRow = {
    name: 'all',
    rssBytes: rows.reduce((sum, { rssBytes }) => sum + rssBytes, 0),
    cores: rows.reduce((sum, { cores }) => sum + cores, 0),
  };
  const within = total.rssBytes < IDLE_LIMITS.rssBytes && total.cores < IDLE_LIMITS.cores;
  const limits: IdleRow = { name: 'limit', ...IDLE_LIMITS };
  const lines = [...rows, total, limits].map(
    ({ name, rssBytes, cores }) =>
      `${name.padEnd(24)}${(rssBytes / 1024 ** 2).toFixed(0).padStart(7)} MiB${(cores * 100).toFixed(1).padStart(8)} %`,
  );
  return { table: [...lines, within ? 'within the limits' : 'OVER the limits'].join('\n'), within };
}
