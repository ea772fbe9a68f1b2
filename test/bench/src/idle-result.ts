import type { ProcessSample } from './process-tree.ts';

/** The limits of the stack while nothing happens. */
const IDLE_LIMITS = { memoryBytes: 1.2 * 1024 ** 3, cores: 0.1 } as const;

export interface IdleRow {
  readonly name: string;
  readonly memoryBytes: number;
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
  for (const { pid, name, memoryBytes, rssBytes, cpuSeconds } of after) {
    const row = rows.get(name) ?? { name, memoryBytes: 0, rssBytes: 0, cores: 0 };
    const cores = row.cores + (cpuSeconds - (used.get(pid) ?? 0)) / seconds;
    rows.set(name, {
      name,
      memoryBytes: row.memoryBytes + memoryBytes,
      rssBytes: row.rssBytes + rssBytes,
      cores,
    });
  }
  return [...rows.values()].sort((a, b) => b.memoryBytes - a.memoryBytes);
}

/** The table, the sums, and whether they are within the limits. */
export function idleResult(rows: readonly IdleRow[]): { readonly table: string; readonly within: boolean } {
  const sum = (of: (row: IdleRow) => number) => rows.reduce((all, row) => all + of(row), 0);
  const total: IdleRow = {
    name: 'all',
    memoryBytes: sum(({ memoryBytes }) => memoryBytes),
    rssBytes: sum(({ rssBytes }) => rssBytes),
    cores: sum(({ cores }) => cores),
  };
  const within = total.memoryBytes < IDLE_LIMITS.memoryBytes && total.cores < IDLE_LIMITS.cores;
  const lines = [
    `${''.padEnd(24)}${'memory'.padStart(11)}${'resident'.padStart(11)}${'CPU'.padStart(10)}`,
    ...[...rows, total].map(lineOf),
    `${'limit'.padEnd(24)}${mebibytes(IDLE_LIMITS.memoryBytes)}${''.padStart(11)}${percent(IDLE_LIMITS.cores)}`,
    'Memory counts a page that processes share once; resident counts it in each of them.',
    within ? 'within the limits' : 'OVER the limits',
  ];
  return { table: lines.join('\n'), within };
}

const lineOf = ({ name, memoryBytes, rssBytes, cores }: IdleRow): string =>
  `${name.padEnd(24)}${mebibytes(memoryBytes)}${mebibytes(rssBytes)}${percent(cores)}`;

const mebibytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(0).padStart(7)} MiB`;

const percent = (cores: number): string => `${(cores * 100).toFixed(1).padStart(8)} %`;
