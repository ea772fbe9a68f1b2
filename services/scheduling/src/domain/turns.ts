import type { Temporal } from 'temporal-polyfill';
import type { Rotation, RotationType } from './schedule.ts';
import { instantOf, wallClock } from './wall-clock.ts';

/** One participant's time in a rotation, half-open. */
export interface Turn {
  /** 0 is the turn that begins at the rotation's start. */
  readonly index: number;
  readonly startsAt: Date;
  /** The next hand-off, or the end of the rotation where that comes first. */
  readonly endsAt: Date;
}

/**
 * The turn that covers `at`, or undefined before the rotation starts and from its end on (S2).
 *
 * Turns are steps on the wall clock: a hand-off at 09:00 stays at 09:00 when the clocks change, and the turn across the
 * change lasts an hour more or less. The work does not grow with the time since the start.
 */
export function turnAt(rotation: Rotation, timezone: string, at: Date): Turn | undefined {
  if (at < rotation.startAt || (rotation.endAt !== undefined && at >= rotation.endAt)) return undefined;
  const steps = new Steps(rotation, timezone);
  let index = steps.estimateAt(at);
  let startsAt = steps.startOf(index);
  // The wall clock misleads by the length of a clock change at most: an hour, in history a day.
  while (startsAt > at) startsAt = steps.startOf((index -= 1));
  let handOff = steps.startOf(index + 1);
  while (handOff <= at) [startsAt, handOff] = [handOff, steps.startOf((index += 1) + 1)];
  const endsAt = rotation.endAt !== undefined && rotation.endAt < handOff ? rotation.endAt : handOff;
  return { index, startsAt, endsAt };
}

/**
 * The index of the turn that follows (`1`) or precedes (`-1`) turn `index` in the order of the participants.
 *
 * The order is a circle without regard to start and end, so that there is always somebody before the first turn. Turns
 * that a clock change leaves without any time are passed over. May be negative.
 */
export function neighbour(rotation: Rotation, timezone: string, index: number, direction: 1 | -1): number {
  const steps = new Steps(rotation, timezone);
  let beside = index + direction;
  while (beside > 0 && steps.startOf(beside).getTime() === steps.startOf(beside + 1).getTime()) beside += direction;
  return beside;
}

const MINUTES: Readonly<Record<RotationType, number>> = { hourly: 60, daily: 24 * 60, weekly: 7 * 24 * 60 };

/** The hand-offs of a rotation as steps of equal length on the wall clock. */
class Steps {
  readonly #rotation: Rotation;
  readonly #timezone: string;
  readonly #start: Temporal.PlainDateTime;
  readonly #minutes: number;

  constructor(rotation: Rotation, timezone: string) {
    this.#rotation = rotation;
    this.#timezone = timezone;
    this.#start = wallClock(rotation.startAt, timezone);
    this.#minutes = MINUTES[rotation.type] * rotation.length;
  }

  /** The step that the wall clock shows at `at`; 0 or more. */
  estimateAt(at: Date): number {
    const elapsed = this.#start.until(wallClock(at, this.#timezone), { largestUnit: 'minutes' });
    return Math.max(0, Math.floor(elapsed.minutes / this.#minutes));
  }

  /** Never decreases with `index`, and step 0 starts with the rotation. */
  startOf(index: number): Date {
    const { startAt } = this.#rotation;
    if (index <= 0) return startAt;
    const start = instantOf(this.#start.add({ minutes: index * this.#minutes }), this.#timezone);
    return start < startAt ? startAt : start;
  }
}
