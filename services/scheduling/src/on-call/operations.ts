import { InvalidError, inSteps, longWork } from '@tocsin/core';
import { mayName } from '@tocsin/events';
import { boundTeam, type Principal } from '@tocsin/http';
import { type Identifier, findVisible, filterVisible } from '../configuration/reference-operations.ts';
import { type LoadedSnapshot, type Snapshots, untilLoadedInSteps } from '../configuration/snapshot-operations.ts';
import { readableBy, type Snapshot } from '../configuration/snapshot.ts';
import type { Schedule } from '../schedules/schedule.ts';
import {
  nextOnCallSteps,
  type NextOnCallTree,
  type OnCallNode,
  onCallSteps,
  onCallUntilSteps,
  usersOf,
} from './on-call-tree.ts';
import { MAX_SHIFTS_PER_STEP, maxShiftsSteps } from './shift-count.ts';
import { joinTimelines, MAX_TIMELINE_COST, type ScheduleTimeline, scheduleTimelineSteps } from './schedule-timeline.ts';
import { type IntervalUnit, partsOf, rangeFrom, type Span } from './span.ts';
import { Budget, MAX_COST } from './budget.ts';

/** One schedule's answer to an on-call query. */
export interface OnCallOfSchedule {
  readonly schedule: Schedule;
  readonly participants: readonly OnCallNode[];
}

/** One schedule's answer to a query for the next users on call. */
export interface NextOnCallOfSchedule extends Pick<NextOnCallTree, 'byTurn' | 'exact'> {
  readonly schedule: Schedule;
}

/** A schedule, and the team that wants to know who is on call in it; without one the whole account. */
export interface WantedOnCall {
  readonly scheduleId: string;
  readonly teamId?: string | undefined;
}

/** The users on call in a schedule, as other services ask for them. */
export interface UsersOnCall {
  readonly id: string;
  readonly name: string;
  readonly users: readonly { readonly id: string; readonly name: string }[];
  /** When they change next, where it was asked for and is within 14 days. */
  readonly until?: string;
}

/** After so long an answer of many schedules is given as far as it goes: the asker has stopped waiting after 2 s. */
const USERS_OF_MS = 500;
/** Roughly the most shifts of one timeline, in all its shown layers. */
const MAX_DRAWN_SHIFTS = 10_000;

/** The range and the layers of a drawn timeline. */
export interface DrawnRange {
  readonly date: Date;
  readonly interval: number;
  readonly unit: IntervalUnit;
  /** How many layers are shown, 1 or more. */
  readonly layers: number;
}

/** The timeline of one schedule, and the snapshot in which its names are known. */
export interface DrawnSchedule extends Pick<ScheduleTimeline, 'layers'> {
  readonly schedule: Schedule;
  readonly range: Span;
  readonly snapshot: Snapshot;
}

/** The highest cost of one answer about all schedules: a hundred for each of five thousand. Each schedule also has its own limit. */
const MAX_TOTAL_COST = 500_000;

/** Answers on-call queries, down to the users (S4 to S7); for a team's key not into other teams (K9). */
export class OnCallResolver {
  readonly #snapshots: Snapshots;
  readonly #nowMs: () => number;

  /** `nowMs`: milliseconds of a clock that is never set back. */
  constructor(snapshots: Snapshots, nowMs = () => performance.now()) {
    this.#snapshots = snapshots;
    this.#nowMs = nowMs;
  }

  /**
   * @throws NotFoundError when there is no such schedule.
   * @throws ForbiddenError when it is another team's and does not name the caller's (K4).
   * @throws UnavailableError when directory does not answer for an unknown user or team.
   */
  async ofSchedule(identifier: Identifier, at: Date, caller: Principal): Promise<OnCallOfSchedule> {
    const snapshot = await this.#snapshots.open();
    const schedule = findVisible('Schedule', snapshot.configuration.schedules, identifier, caller);
    return openSchedule(snapshot, { schedule, at, caller });
  }

  /** @throws as `ofSchedule`. */
  async next(identifier: Identifier, at: Date, caller: Principal): Promise<NextOnCallOfSchedule> {
    const snapshot = await this.#snapshots.open();
    const schedule = findVisible('Schedule', snapshot.configuration.schedules, identifier, caller);
    const { byTurn, exact } = await untilLoadedInSteps(snapshot, (known) =>
      nextOnCallSteps(readableBy(boundTeam(caller), known), schedule, at),
    );
    return { schedule, byTurn, exact };
  }

  /** @throws as `ofSchedule`, and InvalidError when there would be too many shifts to draw. */
  async timeline(identifier: Identifier, drawn: DrawnRange, now: Date, caller: Principal): Promise<DrawnSchedule> {
    const snapshot = await this.#snapshots.open();
    const schedule = findVisible('Schedule', snapshot.configuration.schedules, identifier, caller);
    return this.#drawn(snapshot, schedule, { drawn, now, caller });
  }

  /**
   * The timeline of a schedule that is not stored, such as one with a simulated override, which the caller may read.
   *
   * @throws InvalidError and UnavailableError as `timeline`.
   */
  async timelineOf(schedule: Schedule, drawn: DrawnRange, now: Date, caller: Principal): Promise<DrawnSchedule> {
    return this.#drawn(await this.#snapshots.open(), schedule, { drawn, now, caller });
  }

  async #drawn(
    snapshot: LoadedSnapshot,
    schedule: Schedule,
    { caller, drawn, now }: { readonly drawn: DrawnRange; readonly now: Date; readonly caller: Principal },
  ): Promise<DrawnSchedule> {
    const range = rangeFrom(drawn.date, drawn.interval, drawn.unit, schedule.timezone);
    const shiftCount = await inSteps(maxShiftsSteps(schedule, range, snapshot.configuration.forwardings));
    if (drawn.layers * shiftCount > MAX_DRAWN_SHIFTS) throw tooMuch();
    const parts: ScheduleTimeline['layers'][] = [];
    let cost = MAX_TIMELINE_COST;
    for (const part of partsOf(range, Math.ceil(shiftCount / MAX_SHIFTS_PER_STEP))) {
      const bounds = { now, cost };
      const timeline = await untilLoadedInSteps(snapshot, (known) =>
        scheduleTimelineSteps(readableBy(boundTeam(caller), known), schedule, part, bounds),
      );
      if (timeline.left <= 0) throw tooMuch();
      parts.push(timeline.layers);
      cost = timeline.left;
    }
    return { schedule, range, layers: joinTimelines(parts, now), snapshot };
  }

  /**
   * The users on call in each of the schedules, in their order; null where there is no such schedule, or the team may not name it (K9). Only
   * of the first ones, of one at least, where that takes longer than half a second.
   *
   * @throws UnavailableError as `ofSchedule`.
   */
  async usersOf(
    wanted: readonly WantedOnCall[],
    at: Date,
    { withEnd }: { readonly withEnd: boolean },
  ): Promise<readonly (UsersOnCall | null)[]> {
    const snapshot = await this.#snapshots.open();
    const answers: (UsersOnCall | null)[] = [];
    const untilMs = this.#nowMs() + USERS_OF_MS;
    for (const { scheduleId, teamId } of wanted) {
      if (answers.length > 0 && this.#nowMs() >= untilMs) break;
      const schedule = snapshot.schedule(scheduleId);
      const mayBeShown = schedule !== undefined && mayName(schedule, teamId);
      answers.push(mayBeShown ? await usersOnCall(snapshot, schedule, { at, teamId, withEnd }) : null);
      if (longWork.isPauseDue()) await longWork.pause();
    }
    return answers;
  }

  /** Every schedule that the caller may see, in the order of their creation, opened within one budget for all. */
  async ofAll(at: Date, caller: Principal): Promise<readonly OnCallOfSchedule[]> {
    const snapshot = await this.#snapshots.open();
    const budget = new Budget(MAX_TOTAL_COST);
    const answers: OnCallOfSchedule[] = [];
    for (const schedule of await filterVisible(snapshot.configuration.schedules.all(), caller)) {
      const ownBudget = new Budget(Math.min(MAX_COST, budget.left));
      const before = ownBudget.left;
      answers.push(await openSchedule(snapshot, { schedule, at, caller, budget: ownBudget }));
      budget.take(before - ownBudget.left);
      if (longWork.isPauseDue()) await longWork.pause();
    }
    return answers;
  }
}

const tooMuch = () => InvalidError.ofFields({ interval: 'covers too many periods; ask for less at once' });

interface OnCallQuery {
  readonly schedule: Schedule;
  readonly at: Date;
  readonly caller: Principal;
  readonly budget?: Budget;
}

async function openSchedule(
  snapshot: LoadedSnapshot,
  { at, budget, caller, schedule }: OnCallQuery,
): Promise<OnCallOfSchedule> {
  const { participants } = await untilLoadedInSteps(snapshot, (known) =>
    onCallSteps(readableBy(boundTeam(caller), known), schedule, at, budget),
  );
  return { schedule, participants };
}

async function usersOnCall(
  snapshot: LoadedSnapshot,
  schedule: Schedule,
  { at, teamId, withEnd }: { readonly at: Date; readonly teamId: string | undefined; readonly withEnd: boolean },
): Promise<UsersOnCall> {
  const { participants } = await untilLoadedInSteps(snapshot, (known) =>
    onCallSteps(readableBy(teamId, known), schedule, at),
  );
  const { until } = withEnd
    ? await untilLoadedInSteps(snapshot, (known) => onCallUntilSteps(readableBy(teamId, known), schedule, at))
    : {};
  const { id, name } = schedule;
  const users = usersOf(participants).map((user) => ({ id: user.id, name: user.name }));
  return { id, name, users, ...(until && { until: until.toISOString() }) };
}
