import type { Decision, ShiftNotice } from '@tocsin/contracts';

/** A schedule of which notices of shifts are due. */
export interface DueSchedule {
  readonly scheduleId: string;
  /** The notices that were due before it are published. */
  readonly dueAt: Date;
}

/** The notices of a schedule that are due, and the decisions about them. */
export interface ScheduleNotices {
  readonly scheduleId: string;
  readonly notices: readonly ShiftNotice[];
  readonly decisions: readonly Decision[];
  /** When the schedule is due next; undefined: not before it is changed. */
  readonly nextDueAt: Date | undefined;
}
