import type { Paint } from '../../output/colours.ts';
import { tableText } from '../../output/table.ts';
import { counted, plain } from '../../output/text.ts';
import { textIn } from '../json.ts';
import type { OpsgenieClient } from '../opsgenie-client.ts';
import { type Acceptance, acceptanceOf, acceptedIn } from './accepted-file.ts';
import { compareAlerts, differs, reachedNone } from './compare.ts';
import { type ComparedAlert, ComparedFile } from './compared-file.ts';
import { MirrorFile } from './mirror-file.ts';
import type { ComparedUser } from './reached.ts';
import { saveReported } from './reported-file.ts';

/** How many alerts and users of one day of UTC and one team there are, by result. */
interface Row {
  readonly day: string;
  readonly team: string | undefined;
  alerts: number;
  /** Alerts that reached no user on either side. */
  withoutUser: number;
  readonly users: Record<ComparedUser['result'], number>;
}

/** Whether alerts reached the same users on both sides. */
export interface Report {
  readonly since: string;
  readonly toleranceSeconds: number;
  /** By day and team. */
  readonly rows: readonly Row[];
  readonly different: readonly ComparedAlert[];
  readonly notComparable: readonly ComparedAlert[];
  /** Alerts that reached no user on either side, which are not counted as the same. */
  readonly withoutUser: readonly ComparedAlert[];
  /** Alerts that differ, or could not be compared, for a reason that a user has accepted. */
  readonly explained: readonly ExplainedAlert[];
}

type ExplainedAlert = ComparedAlert & Pick<Acceptance, 'because'>;

/** The sides of a report, and the folder of the mirror. */
export interface ReportWanted {
  readonly opsgenie: OpsgenieClient;
  readonly tocsin: OpsgenieClient;
  readonly place: string;
  readonly toleranceSeconds: number;
  readonly now: () => Date;
  readonly progress: (text: string) => void;
}

/**
 * Compares all alerts since the mirror was begun, and calls `each` with every one of them, and whether it can change no more.
 *
 * @throws CliError (cannot say) where a side cannot be read, or the folder has no mirror of both.
 */
export async function reportOf(
  wanted: ReportWanted,
  each: (alert: ComparedAlert, isFinal: boolean) => void = () => undefined,
): Promise<Report> {
  const { opsgenie, place, tocsin, toleranceSeconds } = wanted;
  const since = MirrorFile.startIn(place, { from: opsgenie.url, to: tocsin.url });
  const builder = new ReportBuilder(await teamNamesOf(opsgenie), acceptedIn(place));
  const kept = new ComparedFile(place, toleranceSeconds);
  try {
    const changing = await compareAlerts({ ...wanted, kept }, { since, toleranceMs: toleranceSeconds * 1_000 });
    const add = (alert: ComparedAlert, isFinal: boolean): void => {
      builder.add(alert);
      each(alert, isFinal);
    };
    for (const alert of kept.all()) add(alert, true);
    for (const alert of changing) add(alert, false);
    const report = builder.report(since, toleranceSeconds);
    saveReported(place, [...report.different, ...report.notComparable, ...report.explained]);
    return report;
  } finally {
    kept.close();
  }
}

/** The names of all teams by their ids. */
export const teamNamesOf = async (opsgenie: OpsgenieClient): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (await opsgenie.list('/v2/teams')).map((team) => [textIn(team, 'id') ?? '', textIn(team, 'name') ?? ''] as const),
  );

/** Counts compared alerts, and keeps those that differ. */
export class ReportBuilder {
  readonly #teams: ReadonlyMap<string, string>;
  readonly #rows = new Map<string, Row>();
  readonly #different: ComparedAlert[] = [];
  readonly #notComparable: ComparedAlert[] = [];
  readonly #withoutUser: ComparedAlert[] = [];
  readonly #explained: ExplainedAlert[] = [];
  readonly #accepted: ReadonlyMap<string, Acceptance>;

  constructor(teams: ReadonlyMap<string, string>, accepted: ReadonlyMap<string, Acceptance>) {
    [this.#teams, this.#accepted] = [teams, accepted];
  }

  add(alert: ComparedAlert): void {
    this.#count(alert);
    const { notComparable } = alert;
    if (reachedNone(alert)) this.#withoutUser.push(alert);
    if (notComparable === undefined && !differs(alert)) return;
    const acceptance = acceptanceOf(alert, this.#accepted);
    if (acceptance !== undefined) this.#explained.push({ ...alert, because: acceptance.because });
    else if (notComparable === undefined) this.#different.push(alert);
    else this.#notComparable.push(alert);
  }

  report(since: Date, toleranceSeconds: number): Report {
    const lists = {
      ...{ different: this.#different, notComparable: this.#notComparable, withoutUser: this.#withoutUser },
      explained: this.#explained,
    };
    return { since: since.toISOString(), toleranceSeconds, rows: inOrder(this.#rows), ...lists };
  }

  #count(alert: ComparedAlert): void {
    const { createdAt, teamId, users } = alert;
    const day = createdAt.slice(0, 10);
    const key = `${day} ${teamId ?? ''}`;
    const none = { same: 0, early: 0, late: 0, missing: 0, extra: 0, 'not comparable': 0, 'not yet': 0 };
    const team = teamId === undefined ? undefined : (this.#teams.get(teamId) ?? teamId);
    const row = this.#rows.get(key) ?? { day, team, alerts: 0, withoutUser: 0, users: none };
    this.#rows.set(key, row);
    row.alerts += 1;
    if (reachedNone(alert)) row.withoutUser += 1;
    for (const { result } of users) row.users[result] += 1;
  }
}

const inOrder = (rows: ReadonlyMap<string, Row>): readonly Row[] =>
  [...rows.values()].toSorted((one, other) =>
    `${one.day} ${one.team ?? ''}` < `${other.day} ${other.team ?? ''}` ? -1 : 1,
  );

/** How many alerts there are, with those that could not be compared. */
export const alertsIn = ({ rows }: Report): number => rows.reduce((sum, { alerts }) => sum + alerts, 0);

/** The most of each list that the text shows. */
const MAX_SHOWN = 20;
const RESULTS = ['same', 'early', 'late', 'missing', 'extra', 'not comparable', 'not yet'] as const;

export function reportText(
  report: Report,
  { paint, width }: { readonly paint: Paint; readonly width?: number | undefined },
): string {
  const { different, explained, notComparable, rows, since, toleranceSeconds, withoutUser } = report;
  const cells = rows.map((row) => [
    ...[row.day, row.alerts, row.withoutUser, ...RESULTS.map((result) => row.users[result])].map(String),
    row.team ?? 'no team',
  ]);
  const headings = ['DAY', 'ALERTS', 'NO USER', ...RESULTS.map((result) => result.toUpperCase()), 'TEAM'];
  return [
    `${counted(alertsIn(report), 'alert')} since ${since}; users who were reached within ${toleranceSeconds} s are the same.`,
    '',
    tableText(headings, cells, paint, width),
    ...firstOf(
      explained,
      ({ because, id, message }) => `\nExplained: ${plain(message)} (${plain(id)}): ${plain(because)}`,
    ),
    ...firstOf(
      notComparable,
      ({ id, message, notComparable: why = '' }) => `\n${plain(message)} (${plain(id)}): ${plain(why)}`,
    ),
    ...firstOf(different, differenceText),
    ...(withoutUser.length === 0 ? [] : ['\nAlerts that reached no user on either side:']),
    ...firstOf(withoutUser, (alert) => `  ${titleOf(alert)}`),
  ].join('\n');
}

function firstOf<T>(all: readonly T[], textOf: (one: T) => string): readonly string[] {
  const more = all.length - MAX_SHOWN;
  return [...all.slice(0, MAX_SHOWN).map(textOf), ...(more > 0 ? [`\n${more} more: --json has all.`] : [])];
}

const titleOf = ({ createdAt, id, message }: ComparedAlert): string =>
  `${plain(message)} (${plain(id)}), created ${plain(createdAt)}`;

function differenceText(alert: ComparedAlert): string {
  const { logs, tocsinId, users } = alert;
  const logText = (lines: readonly string[] = []): readonly string[] => lines.map((line) => `    ${plain(line)}`);
  return [
    `\n${titleOf(alert)}`,
    ...users.map((user) => `  ${userText(user)}`),
    ...['  The log of Opsgenie:', ...logText(logs?.theirs)],
    tocsinId === undefined
      ? '  The simulation of Tocsin:'
      : `  The log of Tocsin (tocsin explain ${plain(tocsinId)} says more):`,
    ...logText(logs?.ours),
  ].join('\n');
}

/** What became of a user, on one line. */
export function userText({ oursMs, result, theirsMs, user, why }: ComparedUser): string {
  const at = (ms: number | undefined): string => (ms === undefined ? 'not' : `at ${new Date(ms).toISOString()}`);
  const because = why === undefined ? '' : `. ${plain(why)}`;
  return `${plain(user)}: ${result}; Opsgenie ${at(theirsMs)}, Tocsin ${at(oursMs)}${because}`;
}
