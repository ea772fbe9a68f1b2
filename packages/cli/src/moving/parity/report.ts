import { markdownText } from '../../output/markdown.ts';
import type { Span } from '../../timeline.ts';
import type { Difference } from './comparison.ts';
import type { DifferentInstant, Parity, ScheduleParity } from './parity.ts';

/** What is written of one schedule; further differences are counted. */
const MAX_LISTED = 20;
const MINUTE_MS = 60_000;

/** How many schedules have each result. */
export function resultsOf({ schedules }: Parity): Readonly<Record<ScheduleParity['result'], number>> {
  const count = (result: ScheduleParity['result']) => schedules.filter((one) => one.result === result).length;
  return { identical: count('identical'), different: count('different'), 'not-comparable': count('not-comparable') };
}

/** Whether there is something to compare, everything was read, and all of it is the same. */
export const isIdentical = (parity: Parity): boolean =>
  parity.schedules.length > 0 &&
  parity.instants.unread === 0 &&
  parity.schedules.every(({ result }) => result === 'identical');

/** The rows of a table: schedule, result, how long it differs, and the most certain cause or the reason. */
export const rowsOf = ({ schedules }: Parity): readonly (readonly [string, string, string, string])[] =>
  schedules.map((one) => {
    if (one.result === 'identical') return [one.name, 'identical', '', ''];
    if (one.result === 'not-comparable') return [one.name, 'NOT COMPARABLE', '', one.reason];
    return [one.name, 'DIFFERENT', hoursText(one.differentMs), one.causes[0] ?? ''];
  });

/** What was compared with what, and the result, a sentence each. */
export function summaryOf(parity: Parity): readonly string[] {
  const { hashes, instants, opsgenie, tocsin, range, seed, timeZoneData } = parity;
  const { different, identical, 'not-comparable': unread } = resultsOf(parity);
  const { reason = '', unread: silent } = instants;
  const unreadInstants = silent === 0 ? '' : ` At ${silent} more a side could not say: ${reason}`;
  return [
    `Opsgenie ${opsgenie}, Tocsin ${tocsin}, from ${instantText(range.from)} until ${instantText(range.until)}.`,
    `${identical} identical, ${different} different, ${unread} not comparable.`,
    `The users on call were compared at ${instants.compared} single instants.${unreadInstants}`,
    `Same answers give the same report: seed ${seed}, time-zone data ${timeZoneData}, Opsgenie ${hashes.opsgenie.slice(0, 16)}, Tocsin ${hashes.tocsin.slice(0, 16)}.`,
  ];
}

/** The differences of a schedule, a line each: in UTC, the recipients of both sides. An instant within a time that differs says no more. */
export function differenceLines(one: Extract<ScheduleParity, { result: 'different' }>): readonly string[] {
  const spans = one.differences.map(
    (each) => `${spanText(each)}: Opsgenie ${namesText(each.opsgenie)}, Tocsin ${namesText(each.tocsin)}`,
  );
  const isShown = ({ at }: DifferentInstant): boolean =>
    one.differences.some(({ from, until }) => from <= at && at < until);
  const instants = one.instants
    .filter((each) => !isShown(each))
    .map(
      (each) =>
        `${instantText(each.at)}: Opsgenie ${namesText(each.opsgenie)}, Tocsin ${namesText(each.tocsin)} (users on call)`,
    );
  return [...cutList(spans, 'times'), ...cutList(instants, 'instants')];
}

const cutList = (lines: readonly string[], what: string): readonly string[] =>
  lines.length <= MAX_LISTED ? lines : [...lines.slice(0, MAX_LISTED), `and ${lines.length - MAX_LISTED} more ${what}`];

export function markdownOf(parity: Parity): string {
  const different = parity.schedules.filter((one) => one.result === 'different');
  return [
    '# Parity of on-call schedules',
    '',
    ...summaryOf(parity).flatMap((line) => [markdownText(line), '']),
    '| schedule | result | differs for | probable cause |',
    '| --- | --- | --- | --- |',
    ...rowsOf(parity).map((row) => `| ${row.map(markdownText).join(' | ')} |`),
    ...different.flatMap((one) => [
      ...['', `## ${markdownText(one.name)}`, ''],
      ...one.causes.map((cause) => `- Probable cause: ${markdownText(cause)}`),
      ...differenceLines(one).map((line) => `- ${markdownText(line)}`),
    ]),
  ].join('\n');
}

/** As JSON: instants as texts, lengths in milliseconds. */
export function jsonOf(parity: Parity): unknown {
  const moment = (at: number): string => new Date(at).toISOString();
  const span = ({ from, until }: Span) => ({ from: moment(from), until: moment(until) });
  const schedules = parity.schedules.map((one) =>
    one.result !== 'different'
      ? one
      : {
          ...one,
          differences: one.differences.map((each) => ({ ...each, ...span(each) })),
          instants: one.instants.map((each) => ({ ...each, at: moment(each.at) })),
        },
  );
  return { ...parity, range: span(parity.range), results: resultsOf(parity), schedules };
}

const namesText = (names: readonly string[]): string => (names.length === 0 ? 'no user' : names.join(' and '));

const spanText = ({ from, until }: Pick<Difference, 'from' | 'until'>): string =>
  `${instantText(from)} until ${instantText(until)}`;

const instantText = (at: DifferentInstant['at']): string => new Date(at).toISOString().replace('.000Z', 'Z');

/** `1 h 30 min`; `1 min` for less, `0` for nothing. */
function hoursText(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE_MS);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return minutes === 0 ? '0' : `${minutes} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}
