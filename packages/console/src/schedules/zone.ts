export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** A stretch of time, half-open: instants in milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/**
 * What the clocks of a zone show: milliseconds since 1970-01-01T00:00 of a clock that never changes. Days of it always have 24 hours, so
 * calendar arithmetic is addition.
 */
export type WallTime = number;

/** Whether a text names a time zone. */
export function isZone(text: string): boolean {
  try {
    formatOf(text);
    return text !== '';
  } catch {
    return false;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, made);
  return made;
}

/** What the clocks of `zone` show at an instant. */
export function wallOf(at: number, zone: string): WallTime {
  const shown = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  for (const { type, value } of formatOf(zone).formatToParts(at))
    if (type in shown) shown[type as 'year'] = Number(value);
  const { day, hour, minute, month, second, year } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((at % 1_000) + 1_000) % 1_000);
}

const offsetOf = (at: number, zone: string): number => wallOf(at, zone) - at;

/** The offsets before and after a clock change near a wall time; the same twice where there is none. */
const offsetsNear = (wall: WallTime, zone: string): readonly [before: number, after: number] => [
  offsetOf(wall - DAY_MS, zone),
  offsetOf(wall + DAY_MS, zone),
];

/** The instants at which the clocks show `wall`, in order: none where they skip it, two where they show it twice. */
export function instantsOf(wall: WallTime, zone: string): readonly number[] {
  const candidates = new Set(offsetsNear(wall, zone).map((offset) => wall - offset));
  return [...candidates].filter((at) => wallOf(at, zone) === wall).sort((one, other) => one - other);
}

/** The first instant at which the clocks show `wall`, or the first one after it where they skip it, as schedules count (S2). */
export function firstInstantOf(wall: WallTime, zone: string): number {
  const [first] = instantsOf(wall, zone);
  if (first !== undefined) return first;
  const [before, after] = offsetsNear(wall, zone);
  // The clocks change after `low` and not after `high`.
  let [low, high] = [wall - after, wall - before];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetOf(middle, zone) === after) high = middle;
    else low = middle;
  }
  return high;
}

/** A day of a calendar, such as `2026-03-29`. */
export type CalendarDate = string;

const startOf = (wall: WallTime): WallTime => Math.floor(wall / DAY_MS) * DAY_MS;
const textOf = (wall: WallTime): CalendarDate => new Date(wall).toISOString().slice(0, 10);

/** The date that the calendars of `zone` show. */
export const dateAt = (at: number, zone: string): CalendarDate => textOf(wallOf(at, zone));

/** Midnight at the start of a date; undefined where the text is none. */
export function midnightOf(date: string): WallTime | undefined {
  const wall = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(wall) || textOf(wall) !== date ? undefined : wall;
}

/** A day on the calendar of a zone, as long as its clocks make it: 23 or 25 hours where they change. */
export interface Day extends Span {
  readonly date: CalendarDate;
}

/** The days of `range` in `zone`, in order; the first and the last as much of them as is in it. */
export function daysOf(range: Span, zone: string): readonly Day[] {
  const days: Day[] = [];
  let midnight = startOf(wallOf(range.from, zone));
  for (let { from } = range; from < range.until; midnight += DAY_MS) {
    const until = Math.min(firstInstantOf(midnight + DAY_MS, zone), range.until);
    // A zone that changes its side of the date line skips a day.
    if (until > from) days.push({ date: textOf(midnight), from, until });
    from = Math.max(from, until);
  }
  return days;
}

/** The instants of `day` at which the clocks of `zone` show a full hour that `every` divides. An hour that is shown twice counts twice. */
export function hoursOf(day: Day, zone: string, every = 1): readonly number[] {
  const midnight = midnightOf(day.date) ?? 0;
  const isPlain = day.until - day.from === DAY_MS && wallOf(day.from, zone) === midnight;
  if (isPlain) return Array.from({ length: 24 / every }, (_, step) => day.from + step * every * HOUR_MS);
  const walls = Array.from({ length: 24 / every }, (_, step) => midnight + step * every * HOUR_MS);
  return walls
    .flatMap((wall) => instantsOf(wall, zone))
    .filter((at) => day.from <= at && at < day.until)
    .sort((one, other) => one - other);
}
