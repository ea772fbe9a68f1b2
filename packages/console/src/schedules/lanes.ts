import type { Timeline } from './queries.ts';
import { finalStretches, isGap, type Kind, peopleText, spanOf, type Stretch, stretchesOf } from './stretches.ts';
import { DAY_MS, type Day, daysOf, hoursOf, type Span } from './zone.ts';

/** A line of the picture of a timeline. */
export interface Lane {
  readonly key: string;
  readonly name: string;
  readonly pieces: readonly Piece[];
}

/** A time in a lane: who, or that no one is on call. */
export interface Piece extends Span {
  readonly text: string;
  readonly kind: Kind | 'gap' | 'no-one';
}

/** The lanes of a timeline: who is on call in the end, overrides, forwarding, and each rotation as it would be without these. */
export function lanesOf(timeline: Timeline): readonly Lane[] {
  const span = spanOf(timeline);
  const lane = (key: string, name: string, stretches: readonly Stretch[]): Lane => ({
    key,
    name,
    pieces: piecesOf(stretches.filter(({ kind, names }) => names.length > 0 || kind === 'override')),
  });
  const part = (layer: Timeline['baseTimeline']) => (layer === undefined ? [] : stretchesOf([layer], span));
  const final = finalStretches(timeline);
  return [
    { key: 'final', name: 'On call', pieces: timeline._parent.enabled ? piecesOf(final) : [] },
    lane('override', 'Overrides', part(timeline.overrideTimeline)),
    lane('forwarding', 'Forwarding', part(timeline.forwardingTimeline)),
    ...(timeline.baseTimeline?.rotations ?? []).map((rotation) =>
      lane(rotation.id, rotation.name, part({ rotations: [rotation] })),
    ),
  ];
}

export const piecesOf = (stretches: readonly Stretch[]): readonly Piece[] => stretches.map(pieceOf);

function pieceOf(stretch: Stretch): Piece {
  const { from, kind, names, until } = stretch;
  const noOne = isGap(stretch) ? 'gap' : 'no-one';
  return { from, until, text: peopleText(stretch), kind: names.length === 0 ? noOne : kind };
}

/** How instants become places in a picture: in proportion to elapsed time, so that a day of 25 hours is wider than one of 24. */
export interface Scale extends Span {
  /** Pixels. */
  readonly width: number;
}

export const xOf = (at: number, { from, until, width }: Scale): number => ((at - from) * width) / (until - from);

/** The instant at a place of the picture; one of the range where the place is outside. */
export function instantAt(x: number, { from, until, width }: Scale): number {
  const part = Math.min(Math.max(x / width, 0), 1);
  return Math.round(from + part * (until - from));
}

/** A rectangle in a lane. */
export interface Bar extends Piece {
  readonly x: number;
  readonly width: number;
  /** As much of the text as fits; empty where that would say nothing. */
  readonly label: string;
  /** How many pieces it stands for. */
  readonly count: number;
}

/** Narrower ones are drawn together, so that a lane has no more elements than can be seen. */
const MIN_WIDTH_PX = 4;
const CHARACTER_PX = 8;
const PADDING_PX = 10;
const MIN_CHARACTERS = 3;

/** The rectangles of a lane. Neighbours that are too narrow to be seen are one. A gap is never drawn together with others. */
export function barsOf(pieces: readonly Piece[], scale: Scale): readonly Bar[] {
  const bars: Bar[] = [];
  for (const piece of pieces) {
    const bar = barOf(piece, scale);
    const last = bars.at(-1);
    if (last !== undefined && isNarrow(piece, scale) && last.until === piece.from && canGrow(last)) {
      bars[bars.length - 1] = joined(last, bar);
    } else bars.push(bar);
  }
  return bars;
}

const isNarrow = ({ from, kind, until }: Piece, scale: Scale): boolean =>
  kind !== 'gap' && xOf(until, scale) - xOf(from, scale) < MIN_WIDTH_PX;

const canGrow = ({ kind, width }: Bar): boolean => kind !== 'gap' && width < MIN_WIDTH_PX;

function joined(last: Bar, next: Bar): Bar {
  const count = last.count + next.count;
  return {
    ...last,
    kind: 'default',
    until: next.until,
    width: last.width + next.width,
    text: `${count} shifts`,
    count,
  };
}

function barOf(piece: Piece, scale: Scale): Bar {
  const x = xOf(piece.from, scale);
  const width = xOf(piece.until, scale) - x;
  return { ...piece, x, width, label: labelOf(shortText(piece.text), width), count: 1 };
}

/** User names without the domains of their addresses. */
const shortText = (text: string): string => text.replaceAll(/@[^\s,]+/g, '');

/** As much of `text` as fits into so many pixels. */
export function labelOf(text: string, width: number): string {
  const most = Math.floor((width - PADDING_PX) / CHARACTER_PX);
  if (text.length <= most) return text;
  return most < MIN_CHARACTERS ? '' : `${text.slice(0, most - 1)}…`;
}

/** A mark of the axis. */
export interface Tick {
  readonly at: number;
  readonly x: number;
  readonly isMidnight: boolean;
  /** What is written beside it: the date, its day alone, the hour, or nothing. */
  readonly label: 'date' | 'day' | 'hour' | 'none';
}

/** From which width of a day on its hours are marked, in steps of so many. */
const HOUR_STEPS = [
  [900, 1],
  [450, 3],
  [130, 6],
] as const;
/** From which width of a day on its date is written, and from which its day alone; else the date of each Monday. */
const DATE_PX = 90;
const DAY_PX = 52;
/** How wide the text of a date is, over which no hour is written. */
const DATE_TEXT_PX = 80;

/** The marks of an axis in the time of `zone`: each midnight, and hours where there is space. */
export function ticksOf(scale: Scale, zone: string): readonly Tick[] {
  const days = daysOf(scale, zone);
  const dayWidth = scale.width / days.length;
  const step = HOUR_STEPS.find(([width]) => dayWidth >= width)?.[1];
  return days.flatMap((day): readonly Tick[] => {
    const start = xOf(day.from, scale);
    const midnight: Tick = { at: day.from, x: start, isMidnight: true, label: dayLabelOf(day, dayWidth) };
    const hours = step === undefined ? [] : hoursOf(day, zone, step).filter((at) => at > day.from);
    const marks = hours.map((at): Tick => {
      const x = xOf(at, scale);
      return { at, x, isMidnight: false, label: x - start < DATE_TEXT_PX ? 'none' : 'hour' };
    });
    return [midnight, ...marks];
  });
}

function dayLabelOf(day: Day, width: number): Tick['label'] {
  if (width >= DATE_PX) return 'date';
  if (width >= DAY_PX) return 'day';
  return isMonday(day) ? 'date' : 'none';
}

const isMonday = ({ date }: Day): boolean => new Date(`${date}T00:00:00Z`).getUTCDay() === 1;

/** The days of a timeline of `zone` whose clocks change. */
export const changedDays = (span: Span, zone: string): readonly Day[] =>
  daysOf(span, zone).filter(({ from, until }) => until - from !== DAY_MS);

/** How many colours there are. */
const HUES = 6;

/** A colour for each text of the lanes: neighbours in the list of all texts have different ones. */
export function huesOf(lanes: readonly Lane[]): ReadonlyMap<string, number> {
  const texts = new Set(lanes.flatMap(({ pieces }) => pieces.map(({ text }) => text)));
  return new Map([...texts].sort().map((text, index) => [text, index % HUES]));
}
