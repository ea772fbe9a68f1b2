import { setImmediate } from 'node:timers/promises';
import { dueNotices } from '../../domain/shift-notices/due-notices.ts';
import type { DueSchedule, ScheduleNotices } from '../../ports/shift-notices.ts';
import { untilLoaded, type LoadedSnapshot, type Snapshots } from '../loaded-snapshot.ts';
import { decisionsOf } from './shift-decisions.ts';

/** About so many notices are written in one transaction, which may last 5 s. */
const MAX_NOTICES = 2_000;

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
      const next = await this.#resolveOne(due, snapshot, now);
      resolved.push(next);
      notices += next.decisions.length;
      if (notices >= MAX_NOTICES) break;
      // The same process pages users.
      await setImmediate();
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
