import { type Command, Option } from 'commander';
import { day } from '../arguments.ts';
import type { Invocation } from '../invocation.ts';
import { fetchHistory, type HistoryFetched } from '../moving/history/fetch-history.ts';
import { type Figures, figuresOf } from '../moving/history/figures.ts';
import { HistoryFile, historyIn } from '../moving/history/history-file.ts';
import { type Day, ZoneCalendar } from '../output/calendar.ts';
import { markdownText } from '../output/markdown.ts';
import { tableText } from '../output/table.ts';
import { counted, plain } from '../output/text.ts';
import { clientOf, type FromOptions, withAccount } from './import-options.ts';
import { examples, type Start } from './start.ts';

const EXIT_CODES = `
Exit codes:
  0 done   2 cannot say   130 interrupted

\`--timeout\` is that of each request here. Only GET is sent to the account.`;

/** `tocsin history`: the alerts of an account, kept for their figures. */
export function addHistoryCommands(program: Command, start: Start): void {
  const history = program
    .command('history')
    .description('Keeps the alerts of an account of Opsgenie, or of Tocsin, and their figures by team and month');
  addFetch(history, start);
  addReport(history, start);
}

interface FetchOptions extends FromOptions {
  readonly to: string;
  readonly since?: Day;
}

function addFetch(history: Command, start: Start): void {
  const command = withAccount(history.command('fetch'))
    .description(
      'Reads the alerts of an account into a folder, which only you can read. Run again, it adds what is new',
    )
    .requiredOption('--to <folder>', 'the folder of the history: a new one, or that of an earlier run')
    .option('--since <day>', 'leaves out alerts that were created before this day of UTC', day)
    .addHelpText('after', EXIT_CODES)
    .action(async (options: FetchOptions, command: Command) => {
      const invocation = start(command);
      const fetched = await fetchInto(invocation, options);
      invocation.print(fetched, () => fetchedText(fetched, options.to));
    });
  examples(
    command,
    [
      'tocsin history fetch --from https://api.opsgenie.com --key-file key.txt --to history',
      'reads, or adds what is new',
    ],
    [
      'tocsin history fetch --from https://api.opsgenie.com --key-file key.txt --to history --since 2026-01-01',
      'the alerts of this year',
    ],
  );
}

async function fetchInto(invocation: Invocation, { since, to, ...from }: FetchOptions): Promise<HistoryFetched> {
  const client = clientOf(invocation, from);
  const sinceAt = since && { since: new Date(new ZoneCalendar('UTC').startOf(since)).toISOString() };
  const file = HistoryFile.open(to, { url: client.url, ...sinceAt });
  try {
    return await fetchHistory(client, file, (text) => {
      invocation.progress(text);
    });
  } finally {
    file.close();
  }
}

function fetchedText({ added, again, count, gone, open }: HistoryFetched, to: string): string {
  const deleted = gone === 0 ? '' : `, of which ${gone} are deleted`;
  const read = again === 0 ? '' : ` Read again: ${counted(again, 'alert')} that were open${deleted}.`;
  return `The history in ${plain(to)} has ${counted(count, 'alert')}, ${open} of them open. New: ${added}.${read}`;
}

interface ReportOptions {
  readonly fromHistory: string;
  readonly format?: 'markdown' | 'csv';
}

function addReport(history: Command, start: Start): void {
  const command = history
    .command('report')
    .description(
      'Says by month and team how many alerts there were, and how long it took to acknowledge and close them',
    )
    .requiredOption('--from-history <folder>', 'a folder of `tocsin history fetch`')
    .addOption(
      new Option('--format <format>', 'prints a page or a file for a spreadsheet').choices(['markdown', 'csv']),
    )
    .addHelpText('after', EXIT_CODES)
    .action((options: ReportOptions, command: Command) => {
      const invocation = start(command);
      const figures = figuresOf(historyIn(options.fromHistory));
      if (options.format !== undefined && !invocation.json) invocation.write(FORMATS[options.format](figures));
      else invocation.print(figures, () => textOf(invocation, figures));
    });
  examples(
    command,
    ['tocsin history report --from-history history', 'a table'],
    ['tocsin history report --from-history history --format csv > alerts.csv', 'for a spreadsheet; times are seconds'],
  );
}

const HEADINGS = ['MONTH', 'ALERTS', 'ACKNOWLEDGED', 'MEDIAN', '90 %', 'CLOSED', 'MEDIAN', '90 %', 'TEAM'] as const;

function textOf({ paint, terminalWidth }: Invocation, figures: readonly Figures[]): string {
  if (figures.length === 0) return 'The history has no alert.';
  const rows = figures.map((each) => cellsOf(each, lasting, each.team ?? 'no team'));
  const table = tableText(HEADINGS, rows, paint, terminalWidth);
  return `${table}\n\nMonths are those of UTC. Times run from the creation of an alert to its acknowledgement and its close.`;
}

const cellsOf = (
  { acknowledged, alerts, closed, month, timeToAcknowledge: ack, timeToClose: close }: Figures,
  time: (ms: number | undefined) => string,
  team: string,
): readonly string[] => [
  ...[month, String(alerts), String(acknowledged), time(ack?.median), time(ack?.p90)],
  ...[String(closed), time(close?.median), time(close?.p90), team],
];

const FORMATS = { markdown: markdownOf, csv: csvOf } as const;

function markdownOf(figures: readonly Figures[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rows = figures.map((each) => cellsOf(each, lasting, markdownText(each.team ?? 'no team')));
  return [line(HEADINGS), line(HEADINGS.map(() => '---')), ...rows.map(line)].join('\n');
}

const CSV_HEADINGS = [
  ...['month', 'alerts', 'acknowledged', 'seconds to acknowledge (median)', 'seconds to acknowledge (90 %)'],
  ...['closed', 'seconds to close (median)', 'seconds to close (90 %)', 'team'],
];

function csvOf(figures: readonly Figures[]): string {
  const seconds = (ms: number | undefined) => (ms === undefined ? '' : String(ms / 1_000));
  const rows = figures.map((each) => cellsOf(each, seconds, each.team ?? ''));
  return [CSV_HEADINGS, ...rows].map((cells) => cells.map(csvCell).join(',')).join('\n');
}

/** A terminal would obey control characters, and a spreadsheet calculate what begins as a formula does: names are text of users. */
function csvCell(text: string): string {
  const shown = plain(text);
  const safe = /^[=+\-@＝＋－＠]/u.test(shown) ? `'${shown}` : shown;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const;

/** `45 s`, `12 min`, `1.5 h`, `2.3 d`; `-` for none. */
function lasting(ms: number | undefined): string {
  if (ms === undefined) return '-';
  const seconds = ms / 1_000;
  const [unit, length] = UNITS.find(([, each]) => seconds >= each) ?? ['s', 1];
  return `${Number((seconds / length).toFixed(1))} ${unit}`;
}
