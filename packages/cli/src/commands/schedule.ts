import type { Command } from 'commander';
import { day, wholeNumber } from '../arguments.ts';
import { idOrName } from '../identifiers.ts';
import type { Invocation } from '../invocation.ts';
import { plusDays, ZoneCalendar, type Day } from '../output/calendar.ts';
import {
  clockChangeLines,
  drawingText,
  gapLines,
  spanText,
  type Canvas,
  type DrawnRow,
} from '../output/schedule-drawing.ts';
import { tableText, type Cell } from '../output/table.ts';
import { plain } from '../output/text.ts';
import {
  shiftsOf,
  nameOf,
  periodsOf,
  spanOf,
  type Shift,
  type Layer,
  type Period,
  type Timeline,
} from '../timeline.ts';
import { EXIT, CliError } from '../cli-error.ts';
import { examples, type Start } from './start.ts';

interface ShowOptions {
  readonly week?: Day;
  readonly days: number;
  readonly zone?: string;
  readonly list?: boolean;
}

/** The drawn range: a number of days from the first one on, in a zone. */
interface Range {
  readonly first: Day;
  readonly days: number;
  readonly calendar: ZoneCalendar;
}

const MAX_DAYS = 31;

/** `tocsin schedule`: draws who is on call. */
export function addScheduleCommands(program: Command, start: Start): void {
  const schedule = program.command('schedule').description('Draws who is on call');
  const show = schedule
    .command('show <schedule>')
    .description(
      'Draws a week of a schedule, named by name or id: each rotation as planned, what replaces it, and the result',
    )
    .option('--week <date>', 'the first day, such as 2026-12-21 (default: today)', day)
    .option('--days <number>', 'how many days', wholeNumber(1, MAX_DAYS), 7)
    .option('--zone <zone>', 'the days and times of this zone, such as Europe/Paris')
    .option('--list', 'lists who is on call and exactly when, in place of the drawing')
    .action(async (name: string, options: ShowOptions, command: Command) => {
      const invocation = start(command);
      const zone = options.zone ?? invocation.moments.zone;
      const calendar = calendarOf(zone);
      const first = options.week ?? calendar.dayOf(invocation.io.now().getTime());
      const range = { first, days: options.days, calendar };
      const timeline = await read(invocation, name, range);
      invocation.print(timeline, () => showText(invocation, timeline, range, zone, options.list ?? false));
    });
  examples(
    show,
    ["tocsin schedule show 'Ops_schedule'", 'the next seven days'],
    ["tocsin schedule show 'Ops_schedule' --week 2026-12-21 --days 14", 'two weeks over Christmas'],
    ["tocsin schedule show 'Ops_schedule' --list --utc", 'exactly when'],
  );
}

function calendarOf(zone: string): ZoneCalendar {
  try {
    return new ZoneCalendar(zone);
  } catch {
    throw new CliError(EXIT.usage, `There is no zone [${zone}]; zones have names such as Europe/Paris.`);
  }
}

/**
 * The timeline over `range`, cut to it. The API draws from midnight of the schedule's own zone on, which lies less than a day
 * before that of another zone, so two days more are asked for.
 */
async function read(invocation: Invocation, name: string, { first, days, calendar }: Range): Promise<Timeline> {
  const [from, until] = [calendar.startOf(first), calendar.startOf(plusDays(first, days))];
  const timeline = await invocation.api().read<Timeline>(`/v2/schedules/${encodeURIComponent(name)}/timeline`, {
    ...{ identifierType: idOrName(name), expand: 'base,override,forwarding' },
    ...{ interval: days + 2, intervalUnit: 'days', date: new Date(from).toISOString() },
  });
  return cutTo(timeline, new Date(from).toISOString(), new Date(until).toISOString());
}

function cutTo(timeline: Timeline, startDate: string, endDate: string): Timeline {
  const range = spanOf({ startDate, endDate });
  const layer = ({ rotations }: Layer): Layer => ({
    rotations: rotations.map((rotation) => ({
      ...rotation,
      periods: rotation.periods
        .filter((period) => spanOf(period).from < range.until && spanOf(period).until > range.from)
        .map((period) => ({
          ...period,
          startDate: spanOf(period).from < range.from ? startDate : period.startDate,
          endDate: spanOf(period).until > range.until ? endDate : period.endDate,
        })),
    })),
  });
  const { baseTimeline, overrideTimeline, forwardingTimeline, finalTimeline } = timeline;
  return {
    ...timeline,
    ...{ startDate, endDate, finalTimeline: layer(finalTimeline) },
    ...(baseTimeline && { baseTimeline: layer(baseTimeline) }),
    ...(overrideTimeline && { overrideTimeline: layer(overrideTimeline) }),
    ...(forwardingTimeline && { forwardingTimeline: layer(forwardingTimeline) }),
  };
}

function showText(invocation: Invocation, timeline: Timeline, range: Range, zone: string, isList: boolean): string {
  const { first, days, calendar } = range;
  const { paint } = invocation;
  const canvas = { calendar, paint, width: invocation.width };
  const shifts = shiftsOf(timeline.finalTimeline, spanOf(timeline));
  const { name, enabled } = timeline._parent;
  return [
    `${paint(plain(name), 'heading')}  ${zone}`,
    ...(enabled ? [] : [paint('It is disabled: no user is on call.', 'alarm')]),
    '',
    isList ? listText(shifts, canvas) : drawingText(rowsOf(timeline, shifts), first, days, canvas),
    '',
    ...gapLines(shifts, canvas),
    ...clockChangeLines(first, days, calendar),
    ...notLookedInto(timeline),
  ].join('\n');
}

function listText(shifts: readonly Shift[], { calendar, paint }: Canvas): string {
  const rows = shifts.map((shift): readonly Cell[] => [
    spanText(shift, calendar),
    shift.names.length === 0 ? { text: 'GAP: NO USER', look: 'alarm' } : shift.names.join(', '),
  ]);
  return tableText(['WHEN', 'ON CALL'], rows, paint);
}

/** Each rotation as planned, what replaces and forwards it where anything does, and who is on call in the end. */
function rowsOf(timeline: Timeline, shifts: readonly Shift[]): readonly DrawnRow[] {
  const short = shortNames(timeline);
  const row = (label: string, periods: readonly Period[]): DrawnRow => ({
    ...{ label, isLoud: false },
    shifts: periods.map((period) => ({ ...spanOf(period), names: [shortNameOf(period, short)] })),
  });
  const { baseTimeline, overrideTimeline, forwardingTimeline } = timeline;
  const changes = [
    ...layerRows('override', overrideTimeline, row),
    ...layerRows('forwarding', forwardingTimeline, row),
  ];
  const result = shifts.map((shift) => ({ ...shift, names: shift.names.map((name) => short.get(name) ?? name) }));
  return [
    ...(baseTimeline?.rotations ?? []).map(({ name, periods }) => row(name, periods)),
    ...changes,
    { label: 'ON CALL', shifts: result, isLoud: true },
  ];
}

/** A row for each rotation whose plan a layer changes. */
function layerRows(
  label: string,
  layer: Layer | undefined,
  row: (label: string, periods: readonly Period[]) => DrawnRow,
): readonly DrawnRow[] {
  return (layer?.rotations ?? []).filter(({ periods }) => periods.length > 0).map(({ periods }) => row(label, periods));
}

const shortNameOf = (period: Period, short: ReadonlyMap<string, string>): string =>
  period.recipient.type === 'none' ? 'no user' : (short.get(nameOf(period)) ?? nameOf(period));

/** Of mail addresses the part before the `@`, where no two are alike in it. */
function shortNames(timeline: Timeline): ReadonlyMap<string, string> {
  const names = [...new Set(periodsOf(timeline).map(nameOf))];
  const short = (name: string) => name.replace(/(?<=.)@.*$/, '');
  const isAlone = (name: string) => names.filter((other) => short(other) === short(name)).length === 1;
  return new Map(names.filter(isAlone).map((name) => [name, short(name)]));
}

/** A timeline names teams and escalations, not who of them is on call (S5). */
function notLookedInto({ finalTimeline }: Timeline): readonly string[] {
  const groups = finalTimeline.rotations
    .flatMap(({ periods }) => periods)
    .filter(({ recipient }) => recipient.type === 'team' || recipient.type === 'escalation')
    .map((period) => `${period.recipient.type} ${plain(nameOf(period))}`);
  const named = [...new Set(groups)].join(', ');
  return named === '' ? [] : [`Whether a user is on call in ${named} is not looked at here: tocsin who says it.`];
}
