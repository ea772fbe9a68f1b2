import { isTimeZone } from '@tocsin/events';
import { Temporal } from 'temporal-polyfill';

/** No two clocks on earth, past or present, are further apart than this. */
const FURTHEST_MS = 26 * 3_600_000;

/** Clock changes are read in blocks of about a year, and kept. */
const BLOCK_MS = 2 ** 35;
/** Instants beyond the last block on either side count as a part of it: calendars do not reach the ends of what a `Date` can hold. */
const LAST_BLOCK = Math.floor(8.64e15 / BLOCK_MS) - 1;

/** Blocks and zones kept at most: a caller that asks about every year of every zone must not fill the memory. */
const MAX_BLOCKS = 200;
const MAX_ZONES = 1_000;

/** A stretch of time without a clock change: `until` is exclusive. */
interface Steady {
  readonly from: number;
  readonly until: number;
  /** How far the wall clock is ahead of UTC. */
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
  /** The stretch that was found last: the next question is about the same one, most often. */
  #last: Steady = { from: 0, until: 0, offsetMs: 0 };

  private constructor(timeZone: string) {
    this.#timeZone = timeZone;
  }

  /** The same object for the same IANA name; for a zone that is unknown the clock of UTC, and a warning of the process. */
  static of(timeZone: string): WallClock {
    const known = zones.get(timeZone);
    if (known !== undefined) return known;
    if (zones.size >= MAX_ZONES) zones.clear();
    const clock = new WallClock(knownZone(timeZone));
    zones.set(timeZone, clock);
    return clock;
  }

  /** The wall clock at `instant`. */
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

  /** The latest wall time shown by `instant` or before. While clocks that were set back repeat an hour, it is ahead of what they show. */
  latestBegun(instant: number): number {
    let steady = this.#steadyAt(instant);
    let wall = instant + steady.offsetMs;
    while (steady.from > instant - FURTHEST_MS) {
      const before = this.#steadyAt(steady.from - 1);
      wall = Math.max(wall, steady.from - 1 + before.offsetMs);
      steady = before;
    }
    return wall;
  }

  /** The latest wall time not shown after `instant`. Before clocks are set back, it is behind what they show, which they will repeat. */
  latestOver(instant: number): number {
    let steady = this.#steadyAt(instant);
    let wall = instant + steady.offsetMs;
    while (steady.until <= instant + FURTHEST_MS) {
      const next = this.#steadyAt(steady.until);
      wall = Math.min(wall, steady.until + next.offsetMs - 1);
      steady = next;
    }
    return wall;
  }

  #steadyAt(instant: number): Steady {
    if (instant >= this.#last.from && instant < this.#last.until) return this.#last;
    const number = Math.min(Math.max(Math.floor(instant / BLOCK_MS), -LAST_BLOCK), LAST_BLOCK);
    const block = this.#blocks.get(number) ?? this.#read(number);
    for (const steady of block) if (instant < steady.until) return (this.#last = steady);
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
      block.push({
        from: from === -LAST_BLOCK * BLOCK_MS ? -Infinity : from,
        until: steadyUntil === (LAST_BLOCK + 1) * BLOCK_MS ? Infinity : steadyUntil,
        offsetMs: now.offsetNanoseconds / 1e6,
      });
      from = steadyUntil;
      if (change !== null) now = change;
    }
    if (this.#blocks.size >= MAX_BLOCKS) this.#blocks.clear();
    this.#blocks.set(number, block);
    return block;
  }
}

const zones = new Map<string, WallClock>();

/** Zones are checked before they are stored: one that is unknown was stored by another release, and the operator of this one is informed. */
function knownZone(timeZone: string): string {
  if (isTimeZone(timeZone)) return timeZone;
  process.emitWarning(`There is no time zone [${timeZone}]: its clocks show UTC.`, 'UnknownTimeZone');
  return 'UTC';
}
