/**
 * A second implementation of the on-call rules, for tests: it walks over the wall clock in half-hour steps and knows the
 * clocks from Intl alone. It shares no code with the real one and is slow on purpose.
 */
import type { TimeRestriction, Weekday } from '@tocsin/events';
import type { ForwardingRule } from '../forwarding/forwarding.ts';
import type { Participant, Rotation, Schedule } from '../schedules/schedule.ts';

export const TICK_MS = 30 * 60_000;
const HOUR = 2;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** The wall clock of one zone in half hours since 1970 on its own calendar, one entry for each half hour of real time. */
export interface WalkedClock {
  readonly zone: string;
  /** The instant of the first entry. */
  readonly origin: number;
  readonly shown: readonly number[];
  /** The latest time that the clocks have shown up to each entry. */
  readonly latestYet: readonly number[];
  /** The earliest time that the clocks will show from each entry on. */
  readonly earliestLeft: readonly number[];
}

/** Within three hours no clocks change twice: so many half hours are read at once. */
const STRIDE = 6;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, format);
  return format;
}

/** Reads the clocks of `zone` from about `from` on; entries lie on the half hours of the wall. */
export function walkedClock(zone: string, from: number, ticks: number): WalkedClock {
  const format = formatOf(zone);
  const show = (instant: number): number => {
    const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
  const origin = from - (show(from) % TICK_MS);
  const showTick = (tick: number): number => show(origin + tick * TICK_MS) / TICK_MS;
  const shown: number[] = [];
  for (let start = 0, wall = showTick(0); start < ticks; start += STRIDE) {
    const next = showTick(start + STRIDE);
    const isSteady = next === wall + STRIDE;
    for (let tick = start; tick < Math.min(start + STRIDE, ticks); tick += 1)
      shown.push(isSteady ? wall + tick - start : showTick(tick));
    wall = next;
  }
  const latestYet = [...shown];
  for (let tick = 1; tick < ticks; tick += 1)
    latestYet[tick] = Math.max(numberAt(latestYet, tick - 1), numberAt(shown, tick));
  const earliestLeft = [...shown];
  for (let tick = ticks - 2; tick >= 0; tick -= 1)
    earliestLeft[tick] = Math.min(numberAt(earliestLeft, tick + 1), numberAt(shown, tick));
  return { zone, origin, shown, latestYet, earliestLeft };
}

const numberAt = (list: readonly number[], index: number): number => list[index] ?? NaN;

/** The instants of `clock` at which its hands jump: an entry is the first after a jump. */
export const jumpsOf = ({ shown }: WalkedClock): readonly number[] =>
  shown.flatMap((wall, tick) => (tick > 0 && wall !== numberAt(shown, tick - 1) + 1 ? [tick] : []));

const STEPS = { hourly: HOUR, daily: DAY, weekly: WEEK } as const;

/**
 * Whose turn it is at each entry of `clock`: the hand-off number n comes when the clocks have first shown, since the
 * rotation started, a time that lies n steps or more after the start.
 */
export function walkTurns(rotation: Rotation, clock: WalkedClock): readonly (number | undefined)[] {
  const step = STEPS[rotation.type] * rotation.length;
  let start: number | undefined;
  let latest = -Infinity;
  return clock.shown.map((wall, tick) => {
    const instant = clock.origin + tick * TICK_MS;
    if (instant < rotation.startAt.getTime()) return undefined;
    if (rotation.endAt !== undefined && instant >= rotation.endAt.getTime()) return undefined;
    start ??= wall;
    latest = Math.max(latest, wall);
    return Math.floor((latest - start) / step);
  });
}

const DAYS: readonly Weekday[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
/** 1970-01-05. */
const MONDAY = 4 * DAY;

/** The windows of a restriction that may concern a time on the wall, as half hours on the wall. */
function windowsNear(restriction: TimeRestriction, wall: number): readonly (readonly [number, number])[] {
  const half = (hour: number, minute: number) => hour * HOUR + minute / 30;
  if (restriction.type === 'time-of-day') {
    const { startHour, startMin, endHour, endMin } = restriction.restriction;
    const [start, end] = [half(startHour, startMin), half(endHour, endMin)];
    const today = Math.floor(wall / DAY) * DAY;
    return [-2, -1, 0, 1].map((day) => {
      const base = today + day * DAY;
      return [base + start, base + (end > start ? end : end + DAY)];
    });
  }
  const monday = MONDAY + Math.floor((wall - MONDAY) / WEEK) * WEEK;
  return restriction.restrictions.flatMap(({ startDay, startHour, startMin, endDay, endHour, endMin }) => {
    const start = DAYS.indexOf(startDay) * DAY + half(startHour, startMin);
    const end = DAYS.indexOf(endDay) * DAY + half(endHour, endMin);
    return [-1, 0, 1].map((week) => {
      const base = monday + week * WEEK;
      return [base + start, base + (end > start ? end : end + WEEK)] as const;
    });
  });
}

/**
 * Whether `restriction` holds at an entry: the clocks have shown the start of a window already, and what they show is
 * before its end, now or at some later time, or they will show its end once more.
 */
export function walkRestriction(restriction: TimeRestriction | undefined, clock: WalkedClock, tick: number): boolean {
  if (restriction === undefined) return true;
  const begun = numberAt(clock.latestYet, tick);
  const left = numberAt(clock.earliestLeft, tick);
  const later = numberAt(clock.earliestLeft, tick + 1);
  return windowsNear(restriction, numberAt(clock.shown, tick)).some(
    ([start, end]) => begun >= start && (left < end || later <= end),
  );
}

/** A schedule, the forwarding rules of all users, and the deleted entities, as `type:id`. */
interface Walk {
  readonly schedule: Schedule;
  readonly forwardingRules: readonly ForwardingRule[];
  readonly gone: ReadonlySet<string>;
}

/** Who is on call at each entry, one list for each rotation: `user:ada`, `user:bob<ada` where forwarded, or an empty word. */
export function walkSchedule(
  { schedule, forwardingRules, gone }: Walk,
  clock: WalkedClock,
): readonly (readonly string[])[] {
  const isGone = (one: Participant): boolean => one.type !== 'none' && gone.has(`${one.type}:${one.id}`);
  const rules = forwardingRules.filter(({ toUserId }) => !gone.has(`user:${toUserId}`));
  const rotations: readonly (Rotation | undefined)[] =
    schedule.rotations.length === 0 ? [undefined] : schedule.rotations;
  return rotations.map((rotation) => {
    const turns = rotation && walkTurns(rotation, clock);
    return clock.shown.map((_, tick) => {
      const instant = clock.origin + tick * TICK_MS;
      const override = schedule.overrides.findLast(
        ({ startAt, endAt, rotationIds, user }) =>
          !isGone(user) &&
          startAt.getTime() <= instant &&
          instant < endAt.getTime() &&
          (rotationIds === undefined || (rotation !== undefined && rotationIds.includes(rotation.id))),
      );
      if (override !== undefined) return walkForwarding(override.user, rules, instant);
      const turn = turns?.[tick];
      if (rotation === undefined || turn === undefined) return '';
      if (!walkRestriction(rotation.timeRestriction, clock, tick)) return '';
      const place = turn % rotation.participants.length;
      const inTurn = [...rotation.participants.slice(place), ...rotation.participants.slice(0, place)];
      return walkForwarding(
        inTurn.find((one) => !isGone(one)),
        rules,
        instant,
      );
    });
  });
}

function walkForwarding(
  participant: Participant | undefined,
  rules: readonly ForwardingRule[],
  instant: number,
): string {
  if (participant === undefined || participant.type === 'none') return '';
  if (participant.type !== 'user') return `${participant.type}:${participant.id}`;
  const holders = [participant.id];
  for (;;) {
    const rule = rules.findLast(
      ({ fromUserId, startAt, endAt }) =>
        fromUserId === holders.at(-1) && startAt.getTime() <= instant && instant < endAt.getTime(),
    );
    if (rule === undefined || holders.includes(rule.toUserId)) break;
    holders.push(rule.toUserId);
  }
  const last = holders.at(-1) ?? '';
  return holders.length === 1 ? `user:${last}` : `user:${last}<${participant.id}`;
}
