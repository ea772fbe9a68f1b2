import { setImmediate } from 'node:timers/promises';
import { dueNotices } from '../../domain/shift-notices/due-notices.ts';
import type { DueShifts, ShiftPosition } from '../../ports/shift-positions.ts';
import { untilLoaded, type LoadedSnapshot, type Snapshots } from '../loaded-snapshot.ts';
import { decisionsOf } from './shift-decisions.ts';

/** About so many notices are written in one transaction, which has 5 s. */
const MAX_NOTICES = 2_000;

/** Decides which notices of shifts are due (U6). */
export class ShiftTeller {
  readonly #snapshots: Snapshots;

  constructor(snapshots: Snapshots) {
    this.#snapshots = snapshots;
  }

  /**
   * The notices that are due at `now`. It takes positions in their order, at least one, until there are about 2000 notices.
   *
   * @throws UnavailableError when the configuration or the users of a schedule cannot be read.
   */
  async due(positions: readonly ShiftPosition[], now: Date): Promise<readonly DueShifts[]> {
    const snapshot = await this.#snapshots.open();
    const due: DueShifts[] = [];
    let notices = 0;
    for (const position of positions) {
      const shifts = await this.#dueOf(position, snapshot, now);
      due.push(shifts);
      notices += shifts.decisions.length;
      if (notices >= MAX_NOTICES) break;
      // The same process pages people.
      await setImmediate();
    }
    return due;
  }

  async #dueOf(position: ShiftPosition, snapshot: LoadedSnapshot, now: Date): Promise<DueShifts> {
    const schedule = snapshot.schedule(position.scheduleId);
    if (schedule === undefined) return { position, notices: [], decisions: [], nextAt: undefined };
    const due = await untilLoaded(snapshot, (known) => dueNotices(known, schedule, { from: position.at, now }));
    return { position, notices: due.notices, decisions: decisionsOf(due, snapshot), nextAt: due.nextAt };
  }
}
