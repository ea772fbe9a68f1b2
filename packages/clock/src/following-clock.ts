import type { Clock } from './clock.ts';

/** One reading of the clock that is followed. */
export interface Reading {
  /** Before the question was sent and after the answer had come, milliseconds of the monotonic clock of this process. */
  readonly askedAtMs: number;
  readonly answeredAtMs: number;
  /** What the other clock showed in between, milliseconds since 1970, rounded down. */
  readonly shownMs: number;
}

export interface FollowingClockOptions {
  /** Milliseconds of a clock of this process that is never set; it may stand still while the machine sleeps. */
  readonly monotonicMs?: () => number;
  /** Milliseconds since 1970 by the clock of the machine, which may be wrong and may be set. */
  readonly systemMs?: () => number;
}

export interface FollowOptions {
  /** How many readings are taken, one after the other; the one with the shortest round trip counts. 5 by default. */
  readonly readings?: number;
  /** What the other clock shows is rounded down to a multiple of so many milliseconds; 1 by default. */
  readonly resolutionMs?: number;
}

/** A difference is made up by this part of the time that passes. */
const SLEW = 0.1;
const READINGS = 5;
/** By how much two steps may differ that are taken for the same. */
const SAME_STEP_MS = 1_000;

/**
 * The clock of one process, which follows the clock of a server that all processes ask: the time that has passed by a monotonic
 * clock since the first reading, and an offset that each reading corrects. The clock of the machine counts only until the first
 * reading, which sets this clock at once, forwards or backwards.
 *
 * From then on it never goes back. A difference that a reading proves is made up by a tenth of the time that passes: within 10 s
 * for each second of it, in which durations are up to 10 % longer or shorter. A reading proves no more than its round trip
 * allows, so a slow answer changes nothing. The one step is forwards, where this machine slept: its own clock and the server's
 * are ahead of the monotonic clock by the same.
 */
export class FollowingClock implements Clock {
  readonly #monotonicMs: () => number;
  readonly #systemMs: () => number;
  readonly #listeners = new Set<() => void>();
  /** What is shown at `#sinceMs` of the monotonic clock. From then on the difference to `#offsetMs` is made up. */
  #shownMs: number;
  #sinceMs: number;
  /** How far the followed clock is ahead of the monotonic one. */
  #offsetMs: number;
  #systemOffsetMs: number;
  #isSet = false;

  constructor({ monotonicMs = () => performance.now(), systemMs = () => Date.now() }: FollowingClockOptions = {}) {
    this.#monotonicMs = monotonicMs;
    this.#systemMs = systemMs;
    this.#sinceMs = monotonicMs();
    this.#shownMs = systemMs();
    this.#offsetMs = this.#shownMs - this.#sinceMs;
    this.#systemOffsetMs = this.#offsetMs;
  }

  /** Whether there was a reading. */
  get isSet(): boolean {
    return this.#isSet;
  }

  /** By how many milliseconds it is ahead of the clock that it follows, as far as the readings prove it. */
  get aheadMs(): number {
    const at = this.#monotonicMs();
    return this.#at(at) - (at + this.#offsetMs);
  }

  /** By how many milliseconds the clock of the machine is ahead of the one that is followed; 0 before the first reading. */
  get machineAheadMs(): number {
    return this.#systemMs() - this.#monotonicMs() - this.#offsetMs;
  }

  now(): Date {
    return new Date(this.#at(this.#monotonicMs()));
  }

  whenMoved(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Reads the clock that is followed. `ask` resolves with what it shows.
   *
   * @throws what `ask` throws, where no reading of this call succeeded; Error where the clock of the machine was set meanwhile, or
   *   the machine slept. Then no reading counts, because a round trip does not show a sleep, and the next call finds the step.
   */
  async follow(ask: () => Promise<Date>, { readings = READINGS, resolutionMs = 1 }: FollowOptions = {}): Promise<void> {
    let best: Reading | undefined;
    const systemOffsetMs = this.#systemMs() - this.#monotonicMs();
    for (let count = 0; count < readings; count += 1) {
      const reading = await this.#reading(ask).catch((error: unknown) => {
        if (best === undefined && count === readings - 1) throw error;
      });
      if (reading !== undefined && (best === undefined || roundTripMs(reading) < roundTripMs(best))) best = reading;
    }
    if (Math.abs(this.#systemMs() - this.#monotonicMs() - systemOffsetMs) >= SAME_STEP_MS)
      throw new Error('The machine slept, or its clock was set, while another clock was read.');
    if (best !== undefined) this.read(best, resolutionMs);
  }

  /** Takes one reading into account. */
  read({ answeredAtMs, askedAtMs, shownMs }: Reading, resolutionMs = 1): void {
    const least = shownMs - answeredAtMs;
    const most = shownMs + resolutionMs - askedAtMs;
    const at = this.#monotonicMs();
    const proven = this.#isSet ? Math.min(most, Math.max(least, this.#offsetMs)) : (least + most) / 2;
    const slept = this.#isSet && this.#hasSlept(proven - this.#offsetMs);
    const shown = this.#at(at);
    this.#sinceMs = at;
    this.#shownMs = !this.#isSet || (slept && at + proven > shown) ? at + proven : shown;
    this.#offsetMs = proven;
    this.#systemOffsetMs = this.#systemMs() - at;
    if (this.#isSet && !slept) return;
    this.#isSet = true;
    for (const listener of this.#listeners) listener();
  }

  /** Whether the clock of the machine went forwards since the last reading as the followed one did, by `stepMs`. */
  #hasSlept(stepMs: number): boolean {
    if (stepMs < SAME_STEP_MS) return false;
    const systemStepMs = this.#systemMs() - this.#monotonicMs() - this.#systemOffsetMs;
    return Math.abs(systemStepMs - stepMs) < SAME_STEP_MS;
  }

  #at(monotonicMs: number): number {
    const passed = monotonicMs - this.#sinceMs;
    const behind = this.#sinceMs + this.#offsetMs - this.#shownMs;
    return this.#shownMs + passed + Math.min(passed * SLEW, Math.max(-passed * SLEW, behind));
  }

  async #reading(ask: () => Promise<Date>): Promise<Reading> {
    const askedAtMs = this.#monotonicMs();
    const shown = await ask();
    return { askedAtMs, answeredAtMs: this.#monotonicMs(), shownMs: shown.getTime() };
  }
}

const roundTripMs = ({ answeredAtMs, askedAtMs }: Reading): number => answeredAtMs - askedAtMs;
