import type { Command } from 'commander';
import { wholeNumber } from '../arguments.ts';
import { CliError, EXIT } from '../cli-error.ts';
import type { Invocation } from '../invocation.ts';
import { textIn } from '../moving/json.ts';
import { compareAlerts, differs } from '../moving/shadow/compare.ts';
import { type ComparedAlert, ComparedFile } from '../moving/shadow/compared-file.ts';
import { MirrorFile } from '../moving/shadow/mirror-file.ts';
import type { ComparedUser } from '../moving/shadow/reached.ts';
import { tableText } from '../output/table.ts';
import { counted, plain } from '../output/text.ts';
import { clientOf, type FromOptions, tocsinClientOf, withAccount } from './import-options.ts';
import { examples, type Start } from './start.ts';

const EXIT_CODES = `
Exit codes:
  0 the same users were reached at the same times   1 some differ   2 cannot say: there is no alert, or one could not be compared

\`--timeout\` is that of each request here. Only GET is sent, to both sides.`;

interface Options extends FromOptions {
  readonly place: string;
  readonly tolerance: number;
}

/** `tocsin shadow report`: whether alerts reached the same users at the same times on both sides. */
export function addReportCommand(shadow: Command, start: Start): void {
  const command = withAccount(shadow.command('report'))
    .description(
      'Compares the users whom each alert reached in Opsgenie and in Tocsin since the mirror was begun, by day and team',
    )
    .requiredOption('--place <folder>', 'the folder of `tocsin shadow mirror`')
    .option(
      '--tolerance <seconds>',
      'how much earlier or later counts as the same: more than the mirror waits between two looks',
      wholeNumber(1, 3_600),
      60,
    )
    .addHelpText('after', EXIT_CODES)
    .action(async (options: Options, command: Command) => {
      const invocation = start(command);
      const report = await reportOf(invocation, options);
      invocation.print(report, () => textOf(invocation, report));
      requireSame(report);
    });
  examples(
    command,
    ['tocsin shadow report --from https://api.opsgenie.com --key-file key.txt --place mirror', 'each day'],
    [
      'tocsin shadow report --from https://api.opsgenie.com --key-file key.txt --place mirror --json | jq .different',
      'each difference, with the logs of both sides',
    ],
  );
}

/** How many alerts and users of one day of UTC and one team there are, by result. */
interface Row {
  readonly day: string;
  readonly team: string | undefined;
  alerts: number;
  readonly users: Record<ComparedUser['result'], number>;
}

interface Report {
  readonly since: string;
  readonly toleranceSeconds: number;
  readonly rows: readonly Row[];
  readonly different: readonly ComparedAlert[];
  readonly notComparable: readonly ComparedAlert[];
}

async function reportOf(invocation: Invocation, { place, tolerance, ...from }: Options): Promise<Report> {
  const [opsgenie, tocsin] = [clientOf(invocation, from), tocsinClientOf(invocation)];
  const since = MirrorFile.startIn(place, { from: opsgenie.url, to: tocsin.url });
  const teams = new Map((await opsgenie.list('/v2/teams')).map((team) => [textIn(team, 'id'), textIn(team, 'name')]));
  const kept = new ComparedFile(place);
  try {
    const ports = {
      ...{ opsgenie, tocsin, kept, now: () => invocation.io.now() },
      progress: (text: string) => {
        invocation.progress(text);
      },
    };
    const changing = await compareAlerts(ports, { since, toleranceMs: tolerance * 1_000 });
    const [rows, different, notComparable] = [new Map<string, Row>(), [] as ComparedAlert[], [] as ComparedAlert[]];
    for (const alert of [...kept.all(), ...changing]) {
      count(rows, alert, (id) => teams.get(id) ?? id);
      if (alert.notComparable !== undefined) notComparable.push(alert);
      else if (differs(alert)) different.push(alert);
    }
    return { since: since.toISOString(), toleranceSeconds: tolerance, rows: inOrder(rows), different, notComparable };
  } finally {
    kept.close();
  }
}

function count(
  rows: Map<string, Row>,
  { createdAt, teamId, users }: ComparedAlert,
  nameOf: (id: string) => string,
): void {
  const day = createdAt.slice(0, 10);
  const key = `${day} ${teamId ?? ''}`;
  const none = { same: 0, early: 0, late: 0, missing: 0, extra: 0, 'not comparable': 0 };
  const row = rows.get(key) ?? { day, team: teamId === undefined ? undefined : nameOf(teamId), alerts: 0, users: none };
  rows.set(key, row);
  row.alerts += 1;
  for (const { result } of users) row.users[result] += 1;
}

const inOrder = (rows: ReadonlyMap<string, Row>): readonly Row[] =>
  [...rows.values()].toSorted((one, other) =>
    `${one.day} ${one.team ?? ''}` < `${other.day} ${other.team ?? ''}` ? -1 : 1,
  );

/** Differences of which the text shows the logs. */
const MAX_SHOWN = 20;

function textOf(invocation: Invocation, report: Report): string {
  const { paint, terminalWidth } = invocation;
  const { different, notComparable, rows, since, toleranceSeconds } = report;
  const alerts = rows.reduce((sum, row) => sum + row.alerts, 0);
  const cells = rows.map(({ alerts: ofDay, day, team = 'no team', users }) => [
    ...[day, ofDay, users.same, users.early, users.late, users.missing, users.extra, users['not comparable']].map(
      String,
    ),
    team,
  ]);
  const headings = ['DAY', 'ALERTS', 'SAME', 'EARLY', 'LATE', 'MISSING', 'EXTRA', 'NOT COMPARABLE', 'TEAM'];
  return [
    `${counted(alerts, 'alert')} since ${since}; users who were reached within ${toleranceSeconds} s are the same.`,
    '',
    tableText(headings, cells, paint, terminalWidth),
    ...notComparable.map(({ id, message, notComparable: why = '' }) => `\n${plain(message)} (${plain(id)}): ${why}`),
    ...different.slice(0, MAX_SHOWN).map(differenceText),
    ...(different.length > MAX_SHOWN ? [`\n${different.length - MAX_SHOWN} more: --json has all.`] : []),
  ].join('\n');
}

function differenceText({ createdAt, id, logs, message, users }: ComparedAlert): string {
  const at = (ms: number | undefined): string => (ms === undefined ? 'not' : `at ${new Date(ms).toISOString()}`);
  const logText = (lines: readonly string[] = []): readonly string[] => lines.map((line) => `    ${plain(line)}`);
  return [
    `\n${plain(message)}, created ${plain(createdAt)}`,
    ...users.map(
      ({ oursMs, result, theirsMs, user, why }) =>
        `  ${plain(user)}: ${result}; Opsgenie ${at(theirsMs)}, Tocsin ${at(oursMs)}${why === undefined ? '' : `. ${why}`}`,
    ),
    ...['  The log of Opsgenie:', ...logText(logs?.theirs)],
    ...[`  The log of Tocsin (tocsin explain ${plain(id)} says more):`, ...logText(logs?.ours)],
  ].join('\n');
}

function requireSame({ different, notComparable, rows }: Report): void {
  if (different.length > 0)
    throw new CliError(EXIT.failed, `${counted(different.length, 'alert')} reached other users, or at other times.`);
  if (notComparable.length > 0)
    throw new CliError(EXIT.cannotSay, `${counted(notComparable.length, 'alert')} could not be compared.`);
  if (rows.length === 0) throw new CliError(EXIT.cannotSay, 'No alert was created since the mirror was begun.');
}
