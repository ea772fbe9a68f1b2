import { Temporal } from 'temporal-polyfill';

/** A stretch of time in which a zone keeps one offset, from `fromMs` (inclusive) to `untilMs` (exclusive). */
interface Stretch {
  readonly fromMs: number;
  readonly untilMs: number;
  /** How far the wall clock is ahead of UTC. */
  readonly offsetMs: number;
  /** The last time that the wall clock showed before the stretch. */
  readonly lastBefore: number;
  /** The first time that it shows after. */
  readonly firstAfter: number;
}

const NO_TIME: Stretch = { fromMs: 0, untilMs: 0, offsetMs: 0, lastBefore: 0, firstAfter: 0 };

/**
 * What the clocks on the wall of a zone have shown and will show; times are milliseconds, as if the wall showed UTC.
 *
 * A time has been shown first when it is at most `latestShown`, and was shown last when it is at most `latestPast`. A time that
 * the clocks skip counts as shown, first and last, with the first instant after the gap (S2). Both are what the wall shows at
 * the instant, except around the times that are shown twice.
 */
class ZoneClock {
  readonly #zone: string;
  /** Instants come near one another, so that the stretch of the last one answers for nearly all. */
  #stretch = NO_TIME;

  constructor(zone: string) {
    this.#zone = zone;
  }

  /** The latest time shown up to the instant `ms`, inclusive. */
  latestShown(ms: number): number {
    const { offsetMs, lastBefore } = this.#at(ms);
    return Math.max(ms + offsetMs, lastBefore);
  }

  /** The latest time shown up to the instant `ms`, inclusive, with nothing up to it to be shown again. */
  latestPast(ms: number): number {
    const { offsetMs, firstAfter } = this.#at(ms);
    return Math.min(ms + offsetMs, firstAfter - 1);
  }

  #at(ms: number): Stretch {
    if (ms < this.#stretch.fromMs || ms >= this.#stretch.untilMs) this.#stretch = stretchAt(ms, this.#zone);
    return this.#stretch;
  }
}

const CLOCKS = new Map<string, ZoneClock>();

/** The clock of `zone`, one for all that ask; the clock of UTC where this machine does not know the zone. */
export function zoneClock(zone: string): ZoneClock {
  const name = knownZone(zone);
  const known = CLOCKS.get(name);
  if (known !== undefined) return known;
  const clock = new ZoneClock(name);
  CLOCKS.set(name, clock);
  return clock;
}

/** The zone's name in its own letter case, so that there are no more clocks than zones. */
function knownZone(zone: string): string {
  try {
    return new Temporal.ZonedDateTime(0n, zone).timeZoneId;
  } catch {
    return 'UTC';
  }
}

/** The first and last instant for which a calendar works in every zone: two days inside of what a date can hold. */
const BOUND_MS = 8.64e15 - 2 * 86_400_000;

function stretchAt(ms: number, zone: string): Stretch {
  const at = zoned(Math.min(Math.max(ms, -BOUND_MS), BOUND_MS), zone);
  const from = at.add({ milliseconds: 1 }).getTimeZoneTransition('previous')?.epochMilliseconds;
  const until = at.getTimeZoneTransition('next')?.epochMilliseconds;
  return {
    fromMs: from ?? -Infinity,
    untilMs: until ?? Infinity,
    offsetMs: offsetOf(at),
    lastBefore: from === undefined ? -Infinity : from - 1 + offsetOf(zoned(from - 1, zone)),
    firstAfter: until === undefined ? Infinity : until + offsetOf(zoned(until, zone)),
  };
}

const zoned = (ms: number, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);

const offsetOf = (at: Temporal.ZonedDateTime): number => at.offsetNanoseconds / 1e6;
