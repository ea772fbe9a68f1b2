import type { Rotation, RotationType } from '../schedules/schedule.ts';
import { WallClock } from '@tocsin/rules';
import { DAY_MS, HOUR_MS, WEEK_MS, type Span } from './span.ts';

/** One participant's time in a rotation: until the next hand-off, or the end of the rotation where that comes first. */
export interface Turn extends Span {
  /** 0 is the turn that begins at the rotation's start. */
  readonly index: number;
}

const STEP_MS: Readonly<Record<RotationType, number>> = { hourly: HOUR_MS, daily: DAY_MS, weekly: WEEK_MS };

/**
 * The turns of one rotation: they follow one another from its start to its end without gap or overlap (S2).
 *
 * Turns are steps of equal length on the wall clock: a hand-off at 09:00 stays at 09:00 when the clocks change, and the turn across the
 * change lasts an hour more or less. A turn that is entirely within a skipped hour does not take place. The work does not grow with the
 * time since the start.
 */
export class Turns {
  readonly #clock: WallClock;
  readonly #life: Span;
  readonly #startWall: number;
  readonly #stepMs: number;

  constructor({ type, length, startAt, endAt }: Rotation, timezone: string) {
    this.#clock = WallClock.of(timezone);
    this.#life = { from: startAt.getTime(), until: endAt?.getTime() ?? Infinity };
    this.#startWall = this.#clock.at(this.#life.from);
    this.#stepMs = STEP_MS[type] * length;
  }

  /** The turn that covers `instant`; undefined before the rotation starts and from its end on. */
  at(instant: number): Turn | undefined {
    if (instant < this.#life.from || instant >= this.#life.until) return undefined;
    // The estimate by the wall clock is wrong by the length of a clock change at most: an hour, in history a day.
    let index = Math.max(0, Math.floor((this.#clock.at(instant) - this.#startWall) / this.#stepMs));
    while (this.#startOf(index) > instant) index -= 1;
    while (this.#startOf(index + 1) <= instant) index += 1;
    return this.#turn(index);
  }

  /** The turns that have time in `range`, in order and whole. */
  *during(range: Span): Generator<Turn> {
    let turn = this.at(Math.max(range.from, this.#life.from));
    while (turn !== undefined && turn.from < range.until) {
      if (turn.until > range.from) yield turn;
      turn = this.after(turn);
    }
  }

  /** How many turns `range` has at most; a clock change may add one. */
  maxIn({ from, until }: Span): number {
    const lived = Math.min(until, this.#life.until) - Math.max(from, this.#life.from);
    return Math.max(0, Math.ceil(lived / this.#stepMs) + 1);
  }

  /** The turn that takes place after `turn`; undefined where the rotation ends first. */
  after({ index, until: from }: Turn): Turn | undefined {
    if (from >= this.#life.until) return undefined;
    let next = index + 1;
    let until = this.#startOf(next + 1);
    while (until === from) until = this.#startOf((next += 1) + 1);
    return { index: next, from, until: Math.min(until, this.#life.until) };
  }

  /**
   * The index of the turn that follows (`1`) or precedes (`-1`) turn `index` in the order of the participants.
   *
   * The order is cyclic and ignores start and end, so there is always a participant before the first turn. Turns that do not take place
   * are skipped. The index may be negative.
   */
  neighbour(index: number, direction: 1 | -1): number {
    let beside = index + direction;
    while (beside > 0 && this.#startOf(beside) === this.#startOf(beside + 1)) beside += direction;
    return beside;
  }

  #turn(index: number): Turn {
    return { index, from: this.#startOf(index), until: Math.min(this.#startOf(index + 1), this.#life.until) };
  }

  /** Never decreases with `index`, and turn 0 starts with the rotation. */
  #startOf(index: number): number {
    const { from } = this.#life;
    if (index <= 0) return from;
    const wall = this.#startWall + index * this.#stepMs;
    const shown = this.#clock.first(wall);
    // A rotation may start after the first of two showings of the same time: then the second one counts.
    return shown >= from ? shown : Math.max(from, this.#clock.last(wall));
  }
}
