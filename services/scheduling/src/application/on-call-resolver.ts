import { setImmediate } from 'node:timers/promises';
import { InvalidError } from '@tocsin/errors';
import { nextOnCallSteps, onCallTree, type NextOnCallTree } from '../domain/on-call-tree.ts';
import { Budget, MOST_STEPS, type OnCallNode } from '../domain/on-call/expansion.ts';
import { rangeFrom, type IntervalUnit } from '../domain/on-call/range.ts';
import { partsOf, type Span } from '../domain/on-call/span.ts';
import { mostPeriodsSteps } from '../domain/on-call/row.ts';
import {
  joined,
  MAX_TIMELINE_STEPS,
  scheduleTimelineSteps,
  type ScheduleTimeline,
} from '../domain/schedule-timeline.ts';
import type { Schedule } from '../domain/schedule.ts';
import { readableBy, type Snapshot } from '../domain/snapshot.ts';
import { visible, visibleOf, type Caller, type Identifier } from './caller.ts';
import { inSteps } from './in-steps.ts';
import { untilLoaded, untilLoadedInSteps, type LoadedSnapshot, type Snapshots } from './loaded-snapshot.ts';

/** Milliseconds after which the event loop runs again: this process also settles events that page people. */
const PART_MS = 5;

/** One schedule's answer to an on-call query. */
export interface OnCallOfSchedule {
  readonly schedule: Schedule;
  readonly participants: readonly OnCallNode[];
}

/** One schedule's answer to who comes next. */
export interface NextOnCallOfSchedule extends Pick<NextOnCallTree, 'byTurn' | 'exact'> {
  readonly schedule: Schedule;
}

/** About the most periods of one timeline, in all its shown layers. */
const MAX_DRAWN_PERIODS = 10_000;
/** About the most periods that one step draws. The event loop runs between steps, because this process also pages users. */
const MAX_PERIODS_PER_STEP = 500;

/** Which part of a schedule's time is drawn. */
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

/** Most steps of one answer about all schedules: a hundred for each of five thousand. Each takes no more than it may alone. */
const MOST_STEPS_OF_ALL = 500_000;

/** Answers on-call queries, down to the users (S4 to S7); for a team's key not into other teams (K9). */
export class OnCallResolver {
  readonly #snapshots: Snapshots;

  constructor(snapshots: Snapshots) {
    this.#snapshots = snapshots;
  }

  /**
   * @throws NotFoundError when there is no such schedule.
   * @throws ForbiddenError when it is another team's and does not name the caller's (K4).
   * @throws UnavailableError when an unknown user or team cannot be asked for.
   */
  async ofSchedule(identifier: Identifier, at: Date, caller: Caller): Promise<OnCallOfSchedule> {
    const snapshot = await this.#snapshots.open();
    const schedule = visible('Schedule', snapshot.configuration.schedules, identifier, caller);
    return opened(snapshot, { schedule, at, caller });
  }

  /** @throws as `ofSchedule`. */
  async next(identifier: Identifier, at: Date, caller: Caller): Promise<NextOnCallOfSchedule> {
    const snapshot = await this.#snapshots.open();
    const schedule = visible('Schedule', snapshot.configuration.schedules, identifier, caller);
    const { byTurn, exact } = await untilLoadedInSteps(snapshot, (known) =>
      nextOnCallSteps(readableBy(caller.teamId, known), schedule, at),
    );
    return { schedule, byTurn, exact };
  }

  /** @throws as `ofSchedule`, and InvalidError when there would be too many periods to draw. */
  async timeline(identifier: Identifier, drawn: DrawnRange, now: Date, caller: Caller): Promise<DrawnSchedule> {
    const snapshot = await this.#snapshots.open();
    const schedule = visible('Schedule', snapshot.configuration.schedules, identifier, caller);
    const range = rangeFrom(drawn.date, drawn.interval, drawn.unit, schedule.timezone);
    const most = await inSteps(mostPeriodsSteps(schedule, range, snapshot.configuration.forwardings));
    if (drawn.layers * most > MAX_DRAWN_PERIODS) throw tooMuch();
    const parts: ScheduleTimeline['layers'][] = [];
    let steps = MAX_TIMELINE_STEPS;
    for (const part of partsOf(range, Math.ceil(most / MAX_PERIODS_PER_STEP))) {
      const left = { now, steps };
      const timeline = await untilLoadedInSteps(snapshot, (known) =>
        scheduleTimelineSteps(readableBy(caller.teamId, known), schedule, part, left),
      );
      if (timeline.steps <= 0) throw tooMuch();
      parts.push(timeline.layers);
      ({ steps } = timeline);
    }
    return { schedule, range, layers: joined(parts, now), snapshot };
  }

  /** Of every schedule that the caller may see, in the order of their creation; opened as far as one budget for all goes. */
  async ofAll(at: Date, caller: Caller): Promise<readonly OnCallOfSchedule[]> {
    const snapshot = await this.#snapshots.open();
    const budget = new Budget(MOST_STEPS_OF_ALL);
    const answers: OnCallOfSchedule[] = [];
    let until = performance.now() + PART_MS;
    for (const schedule of visibleOf(snapshot.configuration.schedules.all(), caller)) {
      const own = new Budget(Math.min(MOST_STEPS, budget.left));
      const steps = own.left;
      answers.push(await opened(snapshot, { schedule, at, caller, budget: own }));
      budget.take(steps - own.left);
      if (performance.now() < until) continue;
      await setImmediate();
      until = performance.now() + PART_MS;
    }
    return answers;
  }
}

const tooMuch = () => InvalidError.ofFields({ interval: 'covers too many periods; ask for less at once' });

interface OnCallQuery {
  readonly schedule: Schedule;
  readonly at: Date;
  readonly caller: Caller;
  readonly budget?: Budget;
}

async function opened(
  snapshot: LoadedSnapshot,
  { at, budget, caller, schedule }: OnCallQuery,
): Promise<OnCallOfSchedule> {
  const { participants } = await untilLoaded(snapshot, (known) =>
    onCallTree(readableBy(caller.teamId, known), schedule, at, budget),
  );
  return { schedule, participants };
}
