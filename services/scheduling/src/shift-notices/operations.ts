import { LongWork } from '@tocsin/core';
import type { Decision, ShiftNotice } from '@tocsin/events';
import { type LoadedSnapshot, type Snapshots, untilLoaded } from '../configuration/snapshot-operations.ts';
import { decisionsOf } from './decisions.ts';
import { dueNotices, MAX_NOTICES } from './due-notices.ts';

/** A `LongWork` of its own, so that notices of shifts do not wait for reads of callers. */
const noticeWork = new LongWork();

/** Resolves which notices of shifts are due (U6). */
export class ShiftNoticeResolver {
  readonly #snapshots: Snapshots;

  constructor(snapshots: Snapshots) {
    this.#snapshots = snapshots;
  }

  /**
   * Resolves the notices that are due at `now` of `schedules`, in their order: of the first one at least, and of the next ones until
   * there are about 2000 notices.
   *
   * @throws UnavailableError when the configuration or the users of a schedule cannot be read.
   */
  async resolve(schedules: readonly DueSchedule[], now: Date): Promise<readonly ScheduleNotices[]> {
    const snapshot = await this.#snapshots.open();
    const resolved: ScheduleNotices[] = [];
    let notices = 0;
    for (const due of schedules) {
      if (noticeWork.isPauseDue()) await noticeWork.pause();
      const next = await this.#resolveOne(due, snapshot, now);
      resolved.push(next);
      notices += next.decisions.length;
      if (notices >= MAX_NOTICES) break;
    }
    return resolved;
  }

  async #resolveOne({ dueAt, scheduleId }: DueSchedule, snapshot: LoadedSnapshot, now: Date): Promise<ScheduleNotices> {
    const schedule = snapshot.schedule(scheduleId);
    if (schedule === undefined) return { scheduleId, notices: [], decisions: [], nextDueAt: undefined };
    const due = await untilLoaded(snapshot, (known) => dueNotices(known, schedule, { from: dueAt, now }));
    return { scheduleId, notices: due.notices, decisions: decisionsOf(due, snapshot), nextDueAt: due.nextAt };
  }
}

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
