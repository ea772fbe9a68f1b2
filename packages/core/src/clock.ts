/**
 * The only way application code learns the time. Domain code takes the instant as an argument instead.
 *
 * Business time (due, on call, restrictions, `createdAt`) is this clock's; leases, back-off, sessions and time-outs are
 * real time and use timers of the platform.
 */
export interface Clock {
  now(): Date;
  /**
   * Calls `listener` whenever time has moved otherwise than by passing, so that a caller who waits for an instant looks again.
   * Returns the function that removes the listener. The clock of the machine never calls a listener.
   */
  whenMoved(listener: () => void): () => void;
}

/** The clock of this machine, for tools and tests. It may be wrong, so services use a `FollowingClock`. */
export const systemClock: Clock = { now: () => new Date(), whenMoved: () => () => undefined };

/** A clock that moves only by a call, and never backwards. */
export class ManualClock implements Clock {
  #now: Date;
  readonly #listeners = new Set<() => void>();

  constructor(start: Date) {
    this.#now = start;
  }

  now(): Date {
    return new Date(this.#now);
  }

  whenMoved(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Moves forward by `milliseconds` (0 or more) and calls the listeners. */
  advance(milliseconds: number): void {
    this.moveTo(new Date(this.#now.getTime() + milliseconds));
  }

  /** @throws RangeError when `instant` lies before the present one. */
  moveTo(instant: Date): void {
    if (instant < this.#now) throw new RangeError('A clock does not go back.');
    this.#now = new Date(instant);
    for (const listener of this.#listeners) listener();
  }
}
