import type { Clock } from './clock.ts';

/** One reading of the reference clock. */
export interface Reading {
  /** The times of the request and of the answer, in milliseconds of the monotonic clock of this process. */
  readonly askedAtMs: number;
  readonly answeredAtMs: number;
  /** The time that the reference clock answered, in milliseconds since 1970, rounded down. */
  readonly shownMs: number;
}

export interface FollowingClockOptions {
  /** Milliseconds of the monotonic clock of this process. It may stop while the machine sleeps. */
  readonly monotonicMs?: () => number;
  /** Milliseconds since 1970 by the clock of the machine, which may be wrong and may jump. */
  readonly systemMs?: () => number;
}

export interface FollowOptions {
  /** The number of readings, one after the other. The clock uses the one with the shortest round trip. 5 by default. */
  readonly readings?: number;
  /** The resolution of the reference clock in milliseconds; 1 by default. */
  readonly resolutionMs?: number;
}

/** The clock corrects a difference by this share of the elapsed time. */
const SLEW = 0.1;
const READINGS = 5;
/** Two steps that differ by less count as the same step. */
const SAME_STEP_MS = 1_000;

/**
 * The clock of one process. It follows a reference clock, which all processes read from a server: its time is the monotonic clock
 * of the process plus an offset, and each reading corrects the offset. Until the first reading it shows the clock of the machine.
 * The first reading sets it at once, forwards or backwards.
 *
 * From then on it never goes back. It corrects a difference by a tenth of the elapsed time, so a second takes 10 s; meanwhile
 * durations are up to 10 % longer or shorter. It corrects only the part of a difference that the round trip cannot explain, so a
 * slow answer changes nothing. It steps in one case only, and forwards: when the machine slept, which it detects because the clock
 * of the machine and the reference clock moved ahead of the monotonic clock by the same amount.
 */
export class FollowingClock implements Clock {
  readonly #monotonicMs: () => number;
  readonly #systemMs: () => number;
  readonly #listeners = new Set<() => void>();
  /** The time of this clock at `#sinceMs` of the monotonic clock. From then on it corrects the difference to `#offsetMs`. */
  #shownMs: number;
  #sinceMs: number;
  /** How far the reference clock is ahead of the monotonic clock. */
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

  /** Whether a reading has set the clock. */
  get isSet(): boolean {
    return this.#isSet;
  }

  /** By how many milliseconds this clock is ahead of the reference clock, as far as the readings prove it. */
  get aheadMs(): number {
    const at = this.#monotonicMs();
    return this.#at(at) - (at + this.#offsetMs);
  }

  /** By how many milliseconds the clock of the machine is ahead of the reference clock; 0 before the first reading. */
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
   * Reads the reference clock. `ask` resolves with its time.
   *
   * @throws the error of `ask` when no reading of this call succeeded; Error when the clock of the machine was set meanwhile, or
   *   the machine slept. This call then ignores its readings, because a round trip does not show a sleep; the next call finds the
   *   step.
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

  /** Corrects the offset by one reading. */
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

  /** Whether the clock of the machine has moved forwards by `stepMs` since the last reading, as the reference clock has. */
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
