import { rangeFrom } from '../domain/on-call/range.ts';
import { DAY_MS, type Span } from '../domain/on-call/span.ts';
import type { Schedule } from '../domain/schedule.ts';
import { mayServe, MOST_SHIFTS, shiftSteps, type Shift } from '../domain/shifts.ts';
import type { Snapshot } from '../domain/snapshot.ts';
import { visible, visibleOf, type Caller, type Identifier } from './caller.ts';
import { untilLoadedInSteps, type Snapshots } from './loaded-snapshot.ts';
import type { References } from './references.ts';

/** The shifts of one schedule. */
interface ScheduleShifts {
  readonly schedule: Schedule;
  readonly shifts: readonly Shift[];
}

/** What one calendar shows. */
export interface Calendar {
  /** Of the schedule or, for a personal one, of the user. */
  readonly name: string;
  readonly entries: readonly ScheduleShifts[];
  /** The names of the users who have a shift, as far as they exist. */
  readonly snapshot: Snapshot;
}

export interface CalendarsPorts {
  readonly snapshots: Snapshots;
  readonly references: References;
}

/** Says who is on call in the form of calendars (part 2, 4.3 and 4.6; S8). */
export class Calendars {
  readonly #ports: CalendarsPorts;

  constructor(ports: CalendarsPorts) {
    this.#ports = ports;
  }

  /**
   * The shifts of all users of one schedule, from a month ago to three months ahead.
   *
   * @throws NotFoundError when there is no such schedule.
   * @throws ForbiddenError when it is another team's and does not name the caller's (K4).
   * @throws UnavailableError when an unknown user or team cannot be asked for.
   */
  async ofSchedule(identifier: Identifier, now: Date, caller: Caller): Promise<Calendar> {
    const snapshot = await this.#ports.snapshots.open();
    const schedule = visible('Schedule', snapshot.configuration.schedules, identifier, caller);
    const range = { from: rangeFrom(now, -1, 'months', schedule.timezone).until, until: ahead(now, schedule) };
    const { shifts } = await untilLoadedInSteps(snapshot, (known) => shiftSteps(known, schedule, range));
    return { name: schedule.name, entries: [{ schedule, shifts }], snapshot };
  }

  /**
   * The shifts of one user in every schedule that the caller may see, duties of others that are forwarded to them
   * included, for the next three months. The schedules created last are left out where there would be too many shifts.
   *
   * @throws NotFoundError when no user has that id or user name.
   * @throws UnavailableError when an unknown user cannot be asked for.
   */
  async ofUser(identifier: string, now: Date, caller: Caller): Promise<Calendar> {
    const { snapshots, references } = this.#ports;
    const { id, username } = await references.userCalled(identifier);
    const snapshot = await snapshots.open();
    const { schedules, forwardings } = snapshot.configuration;
    const standIns = forwardings.leadingTo(id);
    const entries: ScheduleShifts[] = [];
    let room = MOST_SHIFTS;
    for (const schedule of visibleOf(schedules.all(), caller)) {
      if (!mayServe(schedule, standIns)) continue;
      const range: Span = {
        from: rangeFrom(now, 1, 'days', schedule.timezone).from,
        until: ahead(now, schedule),
      };
      const { shifts } = await untilLoadedInSteps(snapshot, (known) => shiftSteps(known, schedule, range));
      const own = shifts.filter(({ recipient }) => recipient.type === 'user' && recipient.id === id);
      if (own.length > 0) entries.push({ schedule, shifts: own });
      room -= own.length;
      if (room <= 0) break;
    }
    return { name: username, entries, snapshot };
  }
}

/** The first midnight that is three months ahead. */
const ahead = (now: Date, { timezone }: Schedule): number =>
  rangeFrom(new Date(now.getTime() + DAY_MS), 3, 'months', timezone).until;
