import type { Decision, ShiftNotice } from '@tocsin/contracts';

/** A due timer of a schedule, claimed by this process. */
export interface ShiftClaim {
  /** The schedule's id. */
  readonly id: string;
  /** All that fell due before this instant was told. */
  readonly dueAt: Date;
}

/** The outcome of one timer. */
export interface ShiftsTold<C extends ShiftClaim> {
  readonly claim: C;
  readonly notices: readonly ShiftNotice[];
  readonly decisions: readonly Decision[];
  /** When the timer fires next; undefined: not before the schedule is changed. */
  readonly nextAt: Date | undefined;
}

/** The timers of schedules: one for each whose final timeline may change. */
export interface ShiftTimers<C extends ShiftClaim> {
  /**
   * Publishes notices and decisions and moves the timers on, in one transaction. False, and nothing is done, where another holds
   * one of the claims by now, or its schedule was changed since.
   */
  moveOn(told: readonly ShiftsTold<C>[]): Promise<boolean>;
}
