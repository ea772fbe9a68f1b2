import { longWork } from '@tocsin/core';
import type { Principal } from '@tocsin/http';
import { type Identifier, type References, findVisible, filterVisible } from '../configuration/reference-operations.ts';
import { type Snapshots, untilLoadedInSteps } from '../configuration/snapshot-operations.ts';
import type { Snapshot } from '../configuration/snapshot.ts';
import type { Schedule } from '../schedules/schedule.ts';
import { type CalendarShift, calendarShiftSteps, MAX_CALENDAR_SHIFTS, mayHaveShiftOf } from './calendar-shifts.ts';
import { DAY_MS, rangeFrom, type Span } from './span.ts';

/** The shifts of one schedule. */
interface ScheduleShifts {
  readonly schedule: Schedule;
  readonly shifts: readonly CalendarShift[];
}

/** The content of one calendar. */
export interface Calendar {
  /** Of the schedule or, for a personal one, of the user. */
  readonly name: string;
  readonly entries: readonly ScheduleShifts[];
  /** The names of the users who have a shift, as far as they exist. */
  readonly snapshot: Snapshot;
}

export interface CalendarsOptions {
  readonly snapshots: Snapshots;
  readonly references: References;
}

/** The users on call, as calendars (part 2, 4.3 and 4.6; S8). */
export class Calendars {
  readonly #options: CalendarsOptions;

  constructor(options: CalendarsOptions) {
    this.#options = options;
  }

  /**
   * The shifts of all users of one schedule, from a month ago to three months ahead.
   *
   * @throws NotFoundError when there is no such schedule.
   * @throws ForbiddenError when it is another team's and does not name the caller's (K4).
   * @throws UnavailableError when directory does not answer for an unknown user or team.
   */
  async ofSchedule(identifier: Identifier, now: Date, caller: Principal): Promise<Calendar> {
    const snapshot = await this.#options.snapshots.open();
    const schedule = findVisible('Schedule', snapshot.configuration.schedules, identifier, caller);
    const range = {
      from: rangeFrom(now, -1, 'months', schedule.timezone).until,
      until: midnightInThreeMonths(now, schedule),
    };
    const { shifts } = await untilLoadedInSteps(snapshot, (known) => calendarShiftSteps(known, schedule, range));
    return { name: schedule.name, entries: [{ schedule, shifts }], snapshot };
  }

  /**
   * The shifts of one user in every schedule that the caller may see, spans of others that are forwarded to them
   * included, for the next three months. The schedules created last are left out where there would be too many shifts. Without a caller
   * they are of all schedules, which every person may see (K12).
   *
   * @throws NotFoundError when no user has that id or user name.
   * @throws UnavailableError when directory does not answer for an unknown user.
   */
  async ofUser(identifier: string, now: Date, caller: Principal | undefined): Promise<Calendar> {
    const { snapshots, references } = this.#options;
    const { id, username } = await references.userCalled(identifier);
    const snapshot = await snapshots.open();
    const { schedules, forwardings } = snapshot.configuration;
    const forwarders = forwardings.leadingTo(id);
    const entries: ScheduleShifts[] = [];
    let shiftsLeft = MAX_CALENDAR_SHIFTS;
    const visibleSchedules = caller === undefined ? schedules.all() : await filterVisible(schedules.all(), caller);
    for (const schedule of visibleSchedules) {
      if (longWork.isPauseDue()) await longWork.pause();
      if (!mayHaveShiftOf(schedule, forwarders)) continue;
      const range: Span = {
        from: rangeFrom(now, 1, 'days', schedule.timezone).from,
        until: midnightInThreeMonths(now, schedule),
      };
      const { shifts } = await untilLoadedInSteps(snapshot, (known) => calendarShiftSteps(known, schedule, range));
      const own = shifts.filter(({ recipient }) => recipient.type === 'user' && recipient.id === id);
      if (own.length > 0) entries.push({ schedule, shifts: own });
      shiftsLeft -= own.length;
      if (shiftsLeft <= 0) break;
    }
    return { name: username, entries, snapshot };
  }
}

/** The first midnight that is three months ahead. */
const midnightInThreeMonths = (now: Date, { timezone }: Schedule): number =>
  rangeFrom(new Date(now.getTime() + DAY_MS), 3, 'months', timezone).until;
