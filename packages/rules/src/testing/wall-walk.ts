import { WEEKDAYS, type TimeRestriction } from '@tocsin/events';

const MINUTE_MS = 60_000;
const DAY = 24 * 60;
const WEEK = 7 * DAY;

/**
 * A second, plain way to find when a restriction holds: every minute of the weeks around a day, with what the clocks on the
 * wall show, and S2 and S3 taken word for word.
 */
export class WallWalk {
  readonly #fromMs: number;
  /** Of each minute from `fromMs` on: what the wall shows, in minutes since a Monday. */
  readonly #shown: readonly number[];
  /** Of each time on the wall, the first and the last minute that shows it. */
  readonly #first = new Map<number, number>();
  readonly #last = new Map<number, number>();
  readonly #tested: { readonly from: number; readonly to: number };

  constructor(zone: string, date: string) {
    const middle = Date.parse(`${date}T12:00:00Z`) / MINUTE_MS;
    const from = middle - 10 * DAY;
    this.#fromMs = from * MINUTE_MS;
    this.#tested = { from: 9 * DAY, to: 11 * DAY };
    const wall = wallMinutes(zone);
    // Clocks change on a quarter of an hour, and run on in between.
    const quarters = Array.from({ length: 20 * 96 }, (_, index) => wall((from + index * 15) * MINUTE_MS));
    this.#shown = quarters.flatMap((shown) => Array.from({ length: 15 }, (_, minute) => shown + minute));
    for (const [index, shown] of this.#shown.entries()) {
      if (!this.#first.has(shown)) this.#first.set(shown, index);
      this.#last.set(shown, index);
    }
  }

  /** The first instant within a day of the middle at which `covers` says something else. */
  disagreement(restriction: TimeRestriction, covers: (at: Date) => boolean): string | undefined {
    const held = new Uint8Array(this.#shown.length);
    for (const { start, end } of this.#occurrences(restriction)) held.fill(1, this.#startOf(start), this.#endOf(end));
    for (let index = this.#tested.from; index < this.#tested.to; index += 1)
      for (const ms of [index * MINUTE_MS, (index + 1) * MINUTE_MS - 1]) {
        const at = new Date(this.#fromMs + ms);
        if (covers(at) !== (held[index] === 1)) return at.toISOString();
      }
    return undefined;
  }

  /** The walk begins and ends days away from what is tested, so that no week is cut. */
  *#occurrences(restriction: TimeRestriction): Generator<{ start: number; end: number }> {
    const first = Math.floor((this.#shown[0] ?? 0) / DAY);
    for (let day = first; day < first + 21; day += 1) {
      if (restriction.type === 'time-of-day') yield occurrence(day, restriction.restriction, undefined);
      else
        for (const span of restriction.restrictions)
          if (WEEKDAYS[day % 7] === span.startDay) yield occurrence(day, span, span.endDay);
    }
  }

  /** The first showing, or the first minute after a gap. */
  #startOf(wall: number): number {
    return this.#first.get(wall) ?? this.#afterGap(wall);
  }

  /** The last showing, or the first minute after a gap. */
  #endOf(wall: number): number {
    return this.#last.get(wall) ?? this.#afterGap(wall);
  }

  #afterGap(wall: number): number {
    if (wall > (this.#shown.at(-1) ?? 0)) return this.#shown.length;
    return this.#shown.findIndex((minute) => minute > wall);
  }
}

interface Times {
  readonly startHour: number;
  readonly startMin: number;
  readonly endHour: number;
  readonly endMin: number;
}

function occurrence(day: number, times: Times, endDay: (typeof WEEKDAYS)[number] | undefined) {
  const start = day * DAY + times.startHour * 60 + times.startMin;
  const endOfDay = endDay === undefined ? day : day - (day % 7) + WEEKDAYS.indexOf(endDay);
  let end = endOfDay * DAY + times.endHour * 60 + times.endMin;
  while (end <= start) end += endDay === undefined ? DAY : WEEK;
  return { start, end };
}

/** The wall clock of `zone`, in minutes since Monday 1969-12-29, by the calendar of the machine. */
function wallMinutes(zone: string): (ms: number) => number {
  const numeric = '2-digit';
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
  });
  return (ms) => {
    const [month = 1, day, year = 0, hour, minute] = format.format(ms).match(/\d+/g)?.map(Number) ?? [];
    return Date.UTC(year, month - 1, day, hour, minute) / MINUTE_MS + 3 * DAY;
  };
}
