import { WEEKDAYS, type TimeRestriction, type Weekday } from '@tocsin/contracts';
import { compileTimeRestriction, WallClock } from '@tocsin/rules';
import { clipped, DAY_MS, HOUR_MS, MINUTE_MS, united, WEEK_MS, type Span } from './span.ts';

/** A window that comes back every period of the wall clock. */
interface Window {
  /** From the beginning of the period. */
  readonly startMs: number;
  /** More than 0, at most one period. */
  readonly lengthMs: number;
}

type TimeOfDay = Extract<TimeRestriction, { type: 'time-of-day' }>['restriction'];

/** The wall time of the Monday before 1970-01-01, which was a Thursday: weeks are counted from it, and days as well. */
const FIRST_MONDAY = -3 * DAY_MS;

/** More than any clock change. */
const SLACK_MS = 26 * HOUR_MS;

/**
 * When a time restriction lets a rotation be on call, on the wall clock of one zone (S3).
 *
 * A window whose end is not after its start goes on past midnight or, with weekdays, past the end of the week. One that starts
 * where it ends lasts a whole day or week. Where the clocks show a time twice, a window begins at the first showing of its start
 * and ends at the last showing of its end. Where they skip it, the first instant after the gap counts (S2).
 */
export class Restriction {
  readonly #holds: (at: Date) => boolean;
  readonly #clock: WallClock;
  readonly #periodMs: number;
  readonly #windows: readonly Window[];

  constructor(restriction: TimeRestriction, timezone: string) {
    this.#holds = compileTimeRestriction(restriction, timezone);
    this.#clock = WallClock.of(timezone);
    const weekly = restriction.type === 'weekday-and-time-of-day';
    const period = weekly ? WEEK_MS : DAY_MS;
    this.#periodMs = period;
    this.#windows = weekly
      ? restriction.restrictions.map((one) => windowOf(inWeek(one), period))
      : [windowOf(inDay(restriction.restriction), period)];
  }

  covers(instant: number): boolean {
    return this.#holds(new Date(instant));
  }

  /** What the restriction lets through of `range`, in order and in as few pieces as possible. */
  during(range: Span): readonly Span[] {
    const last = this.#periodAt(this.#clock.at(range.until)) + 1;
    const spans: Span[] = [];
    for (let number = this.#periodAt(this.#clock.at(range.from)) - this.#reach; number <= last; number += 1) {
      for (const window of this.#windows) {
        const part = clipped(this.#spanFrom(this.#startIn(number, window), window), range);
        if (part !== undefined) spans.push(part);
      }
    }
    return united(spans);
  }

  /** How many pieces `during` may have at most, give or take a clock change. */
  mostIn({ from, until }: Span): number {
    return (Math.ceil((until - from) / this.#periodMs) + 1) * this.#windows.length;
  }

  /** Periods before the present one in which a window may have begun that still lasts. */
  get #reach(): number {
    return 1 + Math.ceil(SLACK_MS / this.#periodMs);
  }

  #periodAt(wall: number): number {
    return Math.floor((wall - FIRST_MONDAY) / this.#periodMs);
  }

  #startIn(period: number, { startMs }: Window): number {
    return FIRST_MONDAY + period * this.#periodMs + startMs;
  }

  #spanFrom(start: number, { lengthMs }: Window): Span {
    return { from: this.#clock.first(start), until: this.#clock.last(start + lengthMs) };
  }
}

const inDay = ({ startHour, startMin, endHour, endMin }: TimeOfDay): readonly [number, number] => [
  startHour * HOUR_MS + startMin * MINUTE_MS,
  endHour * HOUR_MS + endMin * MINUTE_MS,
];

function inWeek(one: TimeOfDay & { startDay: Weekday; endDay: Weekday }): readonly [number, number] {
  const [start, end] = inDay(one);
  return [WEEKDAYS.indexOf(one.startDay) * DAY_MS + start, WEEKDAYS.indexOf(one.endDay) * DAY_MS + end];
}

function windowOf([startMs, endMs]: readonly [number, number], periodMs: number): Window {
  const lengthMs = endMs > startMs ? endMs - startMs : endMs - startMs + periodMs;
  return { startMs, lengthMs };
}
