import type { Manner, Point } from './points.ts';

/** The result of one cell. */
export interface Row {
  readonly point: Point;
  readonly manner: Manner;
  readonly expected: number;
  readonly received: number;
  /** Mails that were under way when the process was cut: their outcome was not written yet. */
  readonly cutSends: number;
  readonly duplicates: number;
  /** From the cut until every user was notified and every request settled. */
  readonly recoveredAfterMs: number;
  readonly ledgerBalances: boolean;
}

const HEAD = [
  'service',
  'point',
  'manner',
  'pages expected',
  'received',
  'sends cut',
  'duplicates',
  'recovered after',
  'ledger',
];

/** The rows as a table that reads as Markdown. */
export function tableOf(rows: readonly Row[]): string {
  const cells = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...rest] = cells;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('\n');
}

const cellsOf = (row: Row): readonly string[] => [
  row.point.asked.victim,
  row.point.named,
  row.manner,
  ...[row.expected, row.received, row.cutSends, row.duplicates].map(String),
  `${(row.recoveredAfterMs / 1_000).toFixed(1)} s`,
  row.ledgerBalances ? 'balances' : 'DOES NOT BALANCE',
];
