import { Temporal } from 'temporal-polyfill';
import { HOUR_MS, MINUTE_MS } from './on-call/span.ts';

/** No two clocks on earth, past or present, are further apart than this. */
const FURTHEST_MS = 26 * HOUR_MS;

/** Clock changes are read in blocks of about a year, and kept. */
const BLOCK_MS = 2 ** 35;

/** Blocks and zones kept at most: whoever asks about every year of every zone must not fill the memory. */
const MOST_BLOCKS = 200;
const MOST_ZONES = 1_000;

/** A stretch of time without a clock change: `until` is exclusive. */
interface Steady {
  readonly from: number;
  readonly until: number;
  /** What the wall clock is ahead of UTC. */
  readonly offsetMs: number;
}

/**
 * The clocks on the walls of one time zone. An instant is given in milliseconds since the epoch; a wall time in
 * milliseconds that the clocks have counted since they showed 1970-01-01T00:00, so that steps on the wall are sums.
 *
 * Temporal knows the clock changes; they are read once per zone and year, because a page or a query asks thousands of
 * times.
 */
export class WallClock {
  readonly #timeZone: string;
  readonly #blocks = new Map<number, readonly Steady[]>();

  private constructor(timeZone: string) {
    this.#timeZone = timeZone;
  }

  /** The same object for the same zone. `timeZone` is an IANA name. */
  static of(timeZone: string): WallClock {
    const known = zones.get(timeZone);
    if (known !== undefined) return known;
    if (zones.size >= MOST_ZONES) zones.clear();
    const clock = new WallClock(timeZone);
    zones.set(timeZone, clock);
    return clock;
  }

  /** What the clocks show at `instant`. */
  at(instant: number): number {
    return instant + this.#steadyAt(instant).offsetMs;
  }

  /** The first instant at which the clocks show `wall`; where they skip it, the first instant after the skipped span. */
  first(wall: number): number {
    let steady = this.#steadyAt(wall - FURTHEST_MS);
    while (wall >= steady.until + steady.offsetMs) steady = this.#steadyAt(steady.until);
    return Math.max(steady.from, wall - steady.offsetMs);
  }

  /** The last instant at which the clocks show `wall`; where they skip it, the first instant after the skipped span. */
  last(wall: number): number {
    let steady = this.#steadyAt(wall + FURTHEST_MS);
    while (wall < steady.from + steady.offsetMs) {
      const before = this.#steadyAt(steady.from - 1);
      if (wall >= before.until + before.offsetMs) return steady.from;
      steady = before;
    }
    return wall - steady.offsetMs;
  }

  #steadyAt(instant: number): Steady {
    const number = Math.floor(instant / BLOCK_MS);
    const block = this.#blocks.get(number) ?? this.#read(number);
    for (const steady of block) if (instant < steady.until) return steady;
    throw new RangeError(`Block ${number} of ${this.#timeZone} does not reach ${instant}.`);
  }

  #read(number: number): readonly Steady[] {
    const until = (number + 1) * BLOCK_MS;
    const block: Steady[] = [];
    let from = number * BLOCK_MS;
    let now = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(this.#timeZone);
    while (from < until) {
      const change = now.getTimeZoneTransition('next');
      const steadyUntil = change === null ? until : Math.min(until, change.epochMilliseconds);
      block.push({ from, until: steadyUntil, offsetMs: now.offsetNanoseconds / 1e6 });
      from = steadyUntil;
      if (change !== null) now = change;
    }
    if (this.#blocks.size >= MOST_BLOCKS) this.#blocks.clear();
    this.#blocks.set(number, block);
    return block;
  }
}

const zones = new Map<string, WallClock>();

const HALF_HOUR_MS = 30 * MINUTE_MS;

/**
 * `at` on the half-hour grid of the wall clock of `timeZone` (S1): seconds are dropped, then minutes go to the nearest
 * of 0 and 30, and up from 15 and 45. What is on the grid already stays the same instant, in a repeated hour too.
 */
export function snapped(at: Date, timeZone: string): Date {
  const clock = WallClock.of(timeZone);
  const shown = clock.at(at.getTime());
  const minute = Math.floor(shown / MINUTE_MS) * MINUTE_MS;
  const wall = Math.floor((minute + HALF_HOUR_MS / 2) / HALF_HOUR_MS) * HALF_HOUR_MS;
  const sameOffset = at.getTime() + (wall - shown);
  return new Date(clock.at(sameOffset) === wall ? sameOffset : clock.first(wall));
}
