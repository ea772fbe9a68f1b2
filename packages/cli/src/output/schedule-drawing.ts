import type { Shift, Span } from '../timeline.ts';
import { headingOf, lengthText, plusDays, type Day, type ZoneCalendar } from './calendar.ts';
import type { Look, Paint } from './colours.ts';
import { cut, fitted, plain, widthOf } from './text.ts';

/** One line of a drawing: who is on call when, in one layer. */
export interface DrawnRow {
  readonly label: string;
  /** In order, and free of overlap. Where there is none, no user is on call; in a loud row such a time is a gap. */
  readonly shifts: readonly Shift[];
  /** A gap in it is shown in every column that it touches, however short it is. */
  readonly isLoud: boolean;
}

/** How something is drawn. */
export interface Canvas {
  readonly calendar: ZoneCalendar;
  readonly paint: Paint;
  /** In columns of the terminal. */
  readonly width: number;
}

/** Days are drawn in weeks, or in fewer where they would be narrower than their headings. */
const DAYS_IN_A_BLOCK = 7;
const NARROWEST_DAY = 8;
const WIDEST_LABEL = 16;
const MAX_GAPS = 20;
const PEOPLE: readonly Look[] = ['person0', 'person1', 'person2', 'person3', 'person4'];

/**
 * A grid of days, each as wide as the others whatever its length in hours, with the people of every row. No line is wider than
 * the canvas, unless that is too narrow for a single day.
 */
export function drawingText(rows: readonly DrawnRow[], first: Day, days: number, canvas: Canvas): string {
  const labelWidth = Math.min(WIDEST_LABEL, Math.max(0, ...rows.map(({ label }) => widthOf(plain(label))))) + 1;
  const room = canvas.width - labelWidth;
  const inBlock = Math.max(1, Math.min(DAYS_IN_A_BLOCK, days, Math.floor(room / NARROWEST_DAY)));
  const dayWidth = Math.max(NARROWEST_DAY, Math.floor(room / inBlock));
  const looks = looksOf(rows);
  const blocks: string[] = [];
  for (let at = 0; at < days; at += inBlock) {
    const shown = Array.from({ length: Math.min(inBlock, days - at) }, (_, index) => plusDays(first, at + index));
    const columns = shown.flatMap((day) => columnsOf(day, dayWidth, canvas.calendar));
    const heading = shown.map((day) => fitted(headingOf(day).split(' ').slice(0, 2).join(' '), dayWidth)).join('');
    blocks.push(
      [
        `${' '.repeat(labelWidth)}${canvas.paint(heading.trimEnd(), 'heading')}`,
        ...rows.map((row) => {
          const label = fitted(cut(plain(row.label), labelWidth - 1), labelWidth);
          return `${row.isLoud ? canvas.paint(label, 'heading') : label}${barText(row, columns, looks, canvas.paint)}`.trimEnd();
        }),
      ].join('\n'),
    );
  }
  return blocks.join('\n\n');
}

function columnsOf(day: Day, width: number, calendar: ZoneCalendar): readonly Span[] {
  const [start, end] = [calendar.startOf(day), calendar.startOf(plusDays(day, 1))];
  const edge = (column: number) => start + ((end - start) * column) / width;
  return Array.from({ length: width }, (_, column) => ({ from: edge(column), until: edge(column + 1) }));
}

/** The content of one column; undefined for none. Equal neighbours are drawn as one. */
type Piece = Shift | 'gap' | undefined;

function barText(row: DrawnRow, columns: readonly Span[], looks: ReadonlyMap<string, Look>, paint: Paint): string {
  const pieces = columns.map((column) => pieceOf(row, column));
  let text = '';
  for (let at = 0; at < pieces.length;) {
    const [piece, column] = [pieces[at], columns[at]];
    let end = at + 1;
    while (end < pieces.length && pieces[end] === piece) end += 1;
    if (column !== undefined) text += pieceText(piece, end - at, column, { looks, paint });
    at = end;
  }
  return text;
}

/** A gap that the column touches where the row is loud, else the shift that fills most of it, if half of it is filled. */
function pieceOf({ shifts, isLoud }: DrawnRow, column: Span): Piece {
  const overlap = ({ from, until }: Span) => Math.min(until, column.until) - Math.max(from, column.from);
  const there = shifts.filter((shift) => shift.names.length > 0 && overlap(shift) > 0);
  const covered = there.reduce((sum, shift) => sum + overlap(shift), 0);
  const length = column.until - column.from;
  // Edges of columns are no whole milliseconds.
  if (isLoud && length - covered >= 1) return 'gap';
  return 2 * covered < length
    ? undefined
    : there.reduce((most, shift) => (overlap(shift) > overlap(most) ? shift : most));
}

interface Colours {
  readonly looks: ReadonlyMap<string, Look>;
  readonly paint: Paint;
}

function pieceText(piece: Piece, width: number, column: Span, { looks, paint }: Colours): string {
  if (piece === undefined) return ' '.repeat(width);
  if (piece === 'gap') return paint(gapText(width), 'alarm');
  // A shift that began before the drawn columns has no beginning in them.
  const edge = piece.from < column.from - (column.until - column.from) ? '─' : '│';
  const name = plain(piece.names.join('+'));
  return paint(fitted(edge + cut(name, width - 1), width, '─'), looks.get(name));
}

/** `!!GAP!!!`, or `!` for each column where there is no room for that. */
const gapText = (width: number): string =>
  width < 3 ? '!'.repeat(width) : 'GAP'.padStart(Math.floor((width + 3) / 2), '!').padEnd(width, '!');

/** People get their colours in the order in which they appear. */
function looksOf(rows: readonly DrawnRow[]): ReadonlyMap<string, Look> {
  const names = new Set(rows.flatMap(({ shifts }) => shifts.map((shift) => plain(shift.names.join('+')))));
  return new Map([...names].map((name, at) => [name, PEOPLE[at % PEOPLE.length] ?? 'person0']));
}

/** When no user is on call, a line each, with how long that is: a clock that changes shows the same hour twice. */
export function gapLines(shifts: readonly Shift[], { calendar, paint }: Canvas): readonly string[] {
  const gaps = shifts.filter(({ names }) => names.length === 0);
  if (gaps.length === 0) return [paint('A user is on call all the time.', 'good')];
  const shown = gaps.slice(0, MAX_GAPS).map((gap) => `  ${paint(spanText(gap, calendar), 'bad')}`);
  const rest = gaps.length > MAX_GAPS ? [`  and ${gaps.length - MAX_GAPS} more times`] : [];
  return [paint('NO USER IS ON CALL:', 'alarm'), ...shown, ...rest];
}

/** `Tue 24 Mar 08:00 – 09:00 (1 h)`. */
export function spanText({ from, until }: Span, calendar: ZoneCalendar): string {
  const [start, end] = [calendar.moment(from), calendar.moment(until)];
  const isOneDay = headingOf(calendar.dayOf(from)) === headingOf(calendar.dayOf(until));
  return `${start} – ${isOneDay ? calendar.time(until) : end} (${lengthText(until - from)})`;
}

/** The days that are not 24 hours long, a line each. */
export function clockChangeLines(first: Day, days: number, calendar: ZoneCalendar): readonly string[] {
  const all = Array.from({ length: days }, (_, at) => plusDays(first, at));
  return all.flatMap((day) => {
    const hours = (calendar.startOf(plusDays(day, 1)) - calendar.startOf(day)) / 3_600_000;
    return hours === 24 ? [] : [`${headingOf(day)} has ${hours} hours: the clocks change.`];
  });
}
