import type { Decision, ShiftNotice } from '@tocsin/contracts';

/** Up to which instant a schedule has notified its users of shifts. */
export interface ShiftPosition {
  readonly scheduleId: string;
  /** The notices that were due before it are published. */
  readonly at: Date;
}

/** What is due of one schedule since its position. */
export interface DueShifts {
  readonly position: ShiftPosition;
  readonly notices: readonly ShiftNotice[];
  readonly decisions: readonly Decision[];
  /** When the schedule is due next; undefined: not before it is changed. */
  readonly nextAt: Date | undefined;
}
