import { Temporal } from 'temporal-polyfill';
import { WallClock } from '@tocsin/rules';

/** Lengths in milliseconds, of the wall clock where a day may last 23 or 25 hours. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;

/** A half-open span of time: instants in milliseconds since the epoch. */
export interface Span {
  /** Inclusive. */
  readonly from: number;
  /** Exclusive. */
  readonly until: number;
}

export const covers = ({ from, until }: Span, instant: number): boolean => from <= instant && instant < until;

/** The part of `span` within `range`; undefined where they have nothing in common. */
export function clip<T extends Span>(span: T, range: Span): T | undefined {
  if (span.from >= range.from && span.until <= range.until) return span.from < span.until ? span : undefined;
  const from = Math.max(span.from, range.from);
  const until = Math.min(span.until, range.until);
  return from < until ? { ...span, from, until } : undefined;
}

/** Divides `range` into `count` parts of about the same length; 1 at least. */
export function partsOf({ from, until }: Span, count: number): readonly Span[] {
  const length = Math.max(1, count);
  const ends = Array.from({ length }, (_, index) => Math.round(from + ((until - from) * (index + 1)) / length));
  return ends.map((end, index) => ({ from: ends[index - 1] ?? from, until: end }));
}

export const byStart = (a: Span, b: Span): number => a.from - b.from;

/** The union of `spans`, in order, in as few pieces as possible. */
export function unite(spans: readonly Span[]): readonly Span[] {
  const pieces: { from: number; until: number }[] = [];
  for (const { from, until } of spans.toSorted(byStart)) {
    const last = pieces.at(-1);
    if (last !== undefined && from <= last.until) last.until = Math.max(last.until, until);
    else pieces.push({ from, until });
  }
  return pieces;
}

/** The parts of `pieces` within `windows`; both in order and free of overlap, and so is the answer. */
export function partsWithin<T extends Span>(pieces: readonly T[], windows: readonly Span[]): readonly T[] {
  const kept: T[] = [];
  let first = 0;
  for (const piece of pieces) {
    while ((windows[first]?.until ?? Infinity) <= piece.from) first += 1;
    for (let index = first; index < windows.length; index += 1) {
      const window = windows[index];
      if (window === undefined || window.from >= piece.until) break;
      const part = clip(piece, window);
      if (part !== undefined) kept.push(part);
    }
  }
  return kept;
}

/** The visible parts of overlapping `pieces`, of which the first has precedence: in order, without overlap. In nearly linear time. */
export function stack<T extends Span>(pieces: readonly T[]): readonly T[] {
  const edges = [...new Set(pieces.flatMap(({ from, until }) => [from, until]))].sort((a, b) => a - b);
  const places = new Map(edges.map((edge, place) => [edge, place]));
  const top = new Map<number, T>();
  // Union-find: leads from each edge to the next stretch that no piece covers yet.
  const free = edges.map((_, place) => place);
  for (const piece of pieces) {
    const end = places.get(piece.until) ?? 0;
    for (let place = firstFree(free, places.get(piece.from) ?? 0); place < end; place = firstFree(free, place)) {
      top.set(place, piece);
      free[place] = place + 1;
    }
  }
  return edges.flatMap((from, place): readonly T[] => {
    const piece = top.get(place);
    if (piece === undefined || (place > 0 && top.get(place - 1) === piece)) return [];
    let end = place + 1;
    while (top.get(end) === piece) end += 1;
    return [{ ...piece, from, until: edges[end] ?? piece.until }];
  });
}

/** The root of `place` in `free`, with path halving. */
function firstFree(free: number[], place: number): number {
  let found = place;
  for (let next = free[found]; next !== undefined && next !== found; next = free[found]) {
    free[found] = free[next] ?? next;
    found = next;
  }
  return found;
}

/** The place of the first of `spans`, which are in order and free of overlap, that ends after `instant`. */
export function firstEndingAfter(spans: readonly Span[], instant: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((spans[middle]?.until ?? Infinity) <= instant) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The parts of `range` outside of `spans`, which are in order and free of overlap. */
export function gapsIn(range: Span, spans: readonly Span[]): readonly Span[] {
  const gaps: Span[] = [];
  let from = range.from;
  for (const span of spans) {
    if (span.from > from) gaps.push({ from, until: Math.min(span.from, range.until) });
    from = Math.max(from, span.until);
  }
  if (from < range.until) gaps.push({ from, until: range.until });
  return gaps;
}

/** The unit of the interval of a timeline, on the calendar. */
export type IntervalUnit = 'days' | 'weeks' | 'months';

/**
 * The range from the midnight before or at `date` on the wall clock of `timezone`, for as many days, weeks or months (S5).
 *
 * Weeks begin on the day of `date`, whichever it is; a month ends on the same day of the next one, or on its last day.
 */
export function rangeFrom(date: Date, interval: number, unit: IntervalUnit, timezone: string): Span {
  const clock = WallClock.of(timezone);
  const midnight = Math.floor(clock.at(date.getTime()) / DAY_MS) * DAY_MS;
  const day = Temporal.Instant.fromEpochMilliseconds(midnight).toZonedDateTimeISO('UTC');
  const end = day.add({ [unit]: interval }).epochMilliseconds;
  return { from: clock.first(midnight), until: clock.first(end) };
}
