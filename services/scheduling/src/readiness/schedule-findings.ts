import { formatInstant } from '@tocsin/events';
import { WallClock } from '@tocsin/rules';
import type { Steps } from '@tocsin/core';
import type { Exists } from '../configuration/mentions.ts';
import { rotationLayersOf } from '../on-call/rotation-layer.ts';
import { MAX_SHIFTS_PER_STEP, maxShiftsSteps } from '../on-call/shift-count.ts';
import { DAY_MS, gapsIn, HOUR_MS, partsOf, type Span, unite } from '../on-call/span.ts';
import type { Budget } from '../on-call/budget.ts';
import { Forwardings } from '../forwarding/forwarding.ts';
import type { Rotation, Schedule } from '../schedules/schedule.ts';
import { type Finding, lengthText, ownedBy, rangeAhead, type ReadinessView } from './finding.ts';

/** Gaps, rotations of one user and clock changes of one schedule (S17); `isChecked`: whether gaps were looked for. */
export interface ScheduleFindings {
  readonly findings: readonly Finding[];
  readonly isChecked: boolean;
}

/** Takes a step of `budget` for each shift that is drawn. */
export function* scheduleFindingsSteps(
  schedule: Schedule,
  view: ReadinessView,
  budget: Budget,
): Steps<ScheduleFindings> {
  if (!schedule.enabled) return { findings: [], isChecked: true };
  const gaps = yield* gapsSteps(schedule, rangeAhead(view), view.exists, budget);
  const found = [
    ...(gaps === undefined || gaps.length === 0 ? [] : [gapFinding(schedule, gaps, view)]),
    ...schedule.rotations.flatMap((rotation) => rotationOfOne(schedule, rotation, view)),
    ...(yield* clockChangeSteps(schedule, view)),
  ];
  return { findings: found, isChecked: gaps !== undefined };
}

const aboutSchedule = ({ id, name, ownerTeamId }: Schedule) =>
  ({ teamIds: ownedBy(ownerTeamId), entity: { type: 'schedule', id, name } }) as const;
const pathOf = ({ id }: Schedule): string => `/v2/schedules/${id}`;

/** Roughly the most shifts of one schedule that are looked through. */
const MAX_SHIFTS_PER_SCHEDULE = 10_000;

/**
 * The parts of `range` in which the final timeline has no period and no override asks for no user. Undefined where the schedule has more
 * than 10 000 shifts, or more than are left of `budget`.
 */
export function* gapsSteps(
  schedule: Schedule,
  range: Span,
  exists: Exists,
  budget: Budget,
): Steps<readonly Span[] | undefined> {
  if (schedule.rotations.some((rotation) => alwaysCovers(rotation, range, exists))) return [];
  // Forwarding changes who is on call, not when.
  const most = yield* maxShiftsSteps(schedule, range, new Forwardings([]));
  if (most > MAX_SHIFTS_PER_SCHEDULE || most > budget.left) return undefined;
  budget.take(most);
  const covered: Span[] = [];
  for (const part of partsOf(range, Math.ceil(most / MAX_SHIFTS_PER_STEP))) {
    for (const layer of rotationLayersOf(schedule)) {
      const composed = layer.composed(layer.base(part, exists), layer.overridden(part, exists), part);
      covered.push(
        ...unite(composed.filter(({ override, participant }) => override !== undefined || participant.type !== 'none')),
      );
      yield;
    }
  }
  return gapsIn(range, unite(covered));
}

/** Whether a participant of the rotation is on call at each instant of `range`, or an override decides who is. */
const alwaysCovers = (
  { endAt, participants, startAt, timeRestriction }: Rotation,
  range: Span,
  exists: Exists,
): boolean =>
  timeRestriction === undefined &&
  startAt.getTime() <= range.from &&
  (endAt === undefined || endAt.getTime() >= range.until) &&
  participants.every(({ type }) => type !== 'none') &&
  participants.some((one) => one.type !== 'none' && exists(one));

function gapFinding(schedule: Schedule, gaps: readonly Span[], view: ReadinessView): Finding {
  const { from, until } = rangeAhead(view);
  const length = gaps.reduce((sum, gap) => sum + gap.until - gap.from, 0);
  const when =
    length === until - from
      ? 'in the next 14 days'
      : `for ${lengthText(length)} of the next 14 days, first at ${formatInstant(new Date(gaps[0]?.from ?? from))}`;
  return {
    ...aboutSchedule(schedule),
    kind: 'schedule-gap',
    severity: 'error',
    message: `No user is on call in schedule [${schedule.name}] ${when}: an alert that comes then reaches no user by this schedule.`,
    remedy: 'Add a rotation or an override that covers the time, or an override for no user where that is meant.',
    path: pathOf(schedule),
    ...(length < until - from && { periods: gaps }),
  };
}

function rotationOfOne(schedule: Schedule, rotation: Rotation, view: ReadinessView): readonly Finding[] {
  const { endAt, id, name, participants } = rotation;
  const [first] = participants;
  const isOver = endAt !== undefined && endAt.getTime() <= view.now;
  if (isOver || first?.type !== 'user' || participants.some((one) => one.type !== 'user' || one.id !== first.id))
    return [];
  const username = view.user(first.id)?.username ?? first.id;
  return [
    {
      ...aboutSchedule(schedule),
      kind: 'rotation-of-one',
      severity: 'warning',
      part: { type: 'rotation', id, name },
      message: `Rotation [${name}] of schedule [${schedule.name}] has one user: while ${username} does not answer, it pages no other user.`,
      remedy: 'Add a second user to the rotation.',
      path: `${pathOf(schedule)}/rotations/${id}`,
    },
  ];
}

/** The longest shift that is named: longer ones hardly show an hour. */
const MAX_SHIFT_MS = 26 * HOUR_MS;

/** The first shift of up to a day that a clock change of the next 14 days makes longer or shorter. */
function* clockChangeSteps(schedule: Schedule, view: ReadinessView): Steps<readonly Finding[]> {
  const clock = WallClock.of(schedule.timezone);
  const change = firstChange(clock, rangeAhead(view));
  if (change === undefined) return [];
  const around: Span = { from: change - MAX_SHIFT_MS, until: change + MAX_SHIFT_MS };
  for (const layer of rotationLayersOf(schedule)) {
    const shift = layer
      .base(around, view.exists)
      .find(({ from, until }) => from > around.from && until < around.until && from < change && change < until);
    if (shift !== undefined && shift.participant.type !== 'none')
      return [clockChangeFinding(schedule, shift, clock.at(shift.until) - clock.at(shift.from))];
    yield;
  }
  return [];
}

/** The first instant of `range` at which the clocks are moved. */
function firstChange(clock: WallClock, { from, until }: Span): number | undefined {
  const offset = (instant: number): number => clock.at(instant) - instant;
  for (let day = from; day < until; day += DAY_MS) {
    let [low, high] = [day, Math.min(day + DAY_MS, until)];
    if (offset(low) === offset(high)) continue;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offset(middle) === offset(low)) low = middle;
      else high = middle;
    }
    return high;
  }
  return undefined;
}

function clockChangeFinding(schedule: Schedule, { from, until }: Span, usualMs: number): Finding {
  return {
    ...aboutSchedule(schedule),
    kind: 'clock-change',
    severity: 'information',
    message: `The clocks change in ${schedule.timezone}: a shift of schedule [${schedule.name}] lasts ${lengthText(until - from)} instead of ${lengthText(usualMs)}.`,
    remedy: 'Nothing has to be mended. An override can divide the shift.',
    path: pathOf(schedule),
    periods: [{ from, until }],
  };
}
