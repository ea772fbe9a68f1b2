import type { TimeRestriction } from '@tocsin/events';
import { compileTimeRestriction, WallClock, windowsOf, type RestrictionWindow } from '@tocsin/rules';
import { clip, HOUR_MS, unite, type Span } from './span.ts';

/** More than any clock change. */
const SLACK_MS = 26 * HOUR_MS;

/**
 * The times at which a time restriction allows a rotation to be on call, on the wall clock of one zone (S3).
 *
 * A window whose end is not after its start goes on past midnight or, with weekdays, past the end of the week. One that starts where it
 * ends lasts a whole day or week. Where the clocks show a time twice, a window begins at the first showing of its start and ends at the
 * last showing of its end. Where they skip it, the first instant after the gap counts (S2).
 */
export class Restriction {
  readonly #holds: (at: Date) => boolean;
  readonly #clock: WallClock;
  readonly #windows: readonly RestrictionWindow[];

  constructor(restriction: TimeRestriction, timezone: string) {
    this.#holds = compileTimeRestriction(restriction, timezone);
    this.#clock = WallClock.of(timezone);
    this.#windows = windowsOf(restriction);
  }

  covers(instant: number): boolean {
    return this.#holds(new Date(instant));
  }

  /** The parts of `range` in which the restriction holds, in order and in as few pieces as possible. */
  during(range: Span): readonly Span[] {
    const [from, until] = [this.#clock.at(range.from) - SLACK_MS, this.#clock.at(range.until) + SLACK_MS];
    return unite(
      this.#windows.flatMap(({ startMs, lengthMs, everyMs }) => {
        const spans: Span[] = [];
        const first = Math.floor((from - lengthMs - startMs) / everyMs);
        for (let start = startMs + first * everyMs; start <= until; start += everyMs) {
          const span = { from: this.#clock.first(start), until: this.#clock.last(start + lengthMs) };
          const part = clip(span, range);
          if (part !== undefined) spans.push(part);
        }
        return spans;
      }),
    );
  }

  /** How many pieces `during` has at most; a clock change may add one. */
  maxIn({ from, until }: Span): number {
    return this.#windows.reduce((sum, { everyMs }) => sum + Math.ceil((until - from) / everyMs) + 1, 0);
  }
}
