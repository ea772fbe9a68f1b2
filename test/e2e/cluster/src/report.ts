import { total, type PhaseBalance } from './ledger.ts';

const COLUMNS = [
  'what happened',
  'seconds',
  'alerts',
  'accepted',
  'refused',
  'reads',
  'reads refused',
  'slowest',
  'not settled',
  'pages',
  'pages missing',
  'pages twice',
  'restarts',
] as const;

/** The balances as a table of Markdown, with their sum. */
export function report(balances: readonly PhaseBalance[]): string {
  return table([COLUMNS, ...balances.map(rowOf), sumOf(balances)]);
}

/** Rows under each other in the table format of Markdown; the first is the head and the first column stands to the left. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const cell = (text: string, column: number): string =>
    column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0);
  const [head = [], ...body] = rows.map((row) => `| ${row.map(cell).join(' | ')} |`);
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [head, rule, ...body].join('\n');
}

function rowOf(balance: PhaseBalance): readonly string[] {
  const { phase } = balance;
  return cells({
    name: phase.name,
    seconds: phase.seconds,
    restarts: phase.restarts,
    refused: listed(balance.refused),
    refusedReads: listed(balance.refusedReads),
    of: [balance],
  });
}

function sumOf(balances: readonly PhaseBalance[]): readonly string[] {
  const sum = (of: (balance: PhaseBalance) => number): number => balances.reduce((all, each) => all + of(each), 0);
  return cells({
    name: 'in all',
    seconds: sum(({ phase }) => phase.seconds),
    restarts: sum(({ phase }) => phase.restarts),
    refused: String(sum(({ refused }) => total(refused))),
    refusedReads: String(sum(({ refusedReads }) => total(refusedReads))),
    of: balances,
  });
}

function cells(row: {
  readonly name: string;
  readonly seconds: number;
  readonly restarts: number;
  readonly refused: string;
  readonly refusedReads: string;
  readonly of: readonly PhaseBalance[];
}): readonly string[] {
  const sum = (of: (balance: PhaseBalance) => number): string =>
    String(row.of.reduce((all, each) => all + of(each), 0));
  return [
    row.name,
    row.seconds.toFixed(0),
    sum(({ alerts }) => alerts),
    sum(({ accepted }) => accepted),
    row.refused,
    sum(({ reads }) => reads),
    row.refusedReads,
    `${Math.max(0, ...row.of.map(({ slowestMs }) => slowestMs)).toFixed(0)} ms`,
    sum(({ unsettled }) => unsettled.length),
    sum(({ paged }) => paged),
    sum(({ missing }) => missing.length),
    sum(({ duplicates }) => duplicates),
    String(row.restarts),
  ];
}

const listed = (refused: ReadonlyMap<string, number>): string =>
  [...refused].map(([what, count]) => `${count} × ${what}`).join(', ') || '0';
