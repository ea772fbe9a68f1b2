/** Random schedules for the properties of the on-call rules. */
import fc from 'fast-check';
import type { TimeRestriction, UserState, Weekday } from '@tocsin/events';
import { casesOf } from '@tocsin/testkit';
import type { Exists } from '../configuration/mentions.ts';
import type { Snapshot } from '../configuration/snapshot.ts';
import type { ForwardingRule } from '../forwarding/forwarding.ts';
import { DAY_MS, HOUR_MS, type Span } from '../on-call/span.ts';
import type { Override } from '../schedules/override.ts';
import { type Participant, type Rotation, type Schedule, snapToHalfHour } from '../schedules/schedule.ts';
import { escalationOf, forwardingOf, rotationOf, scheduleOf, snapshotOf, teamOf } from './on-call-samples.ts';

/** Cases of a property: as usual, and with `npm test -- --deep`. */
interface Effort {
  readonly usual: number;
  readonly deep: number;
}

export const NORMAL: Effort = { usual: 500, deep: 10_000 };

/** How many cases to try; what fails is reported with its seed. */
export const runs = (effort: Effort): { readonly numRuns: number } => ({ numRuns: casesOf(effort) });

/** Zones with every kind of clock: whole and half hours of summer time, Ramadan, a lost day, abolished changes, none. */
export const ZONES = [
  'America/Chicago',
  'Europe/Paris',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'America/Sao_Paulo',
  'UTC',
] as const;
export const aZone = fc.constantFrom(...ZONES, 'Antarctica/Troll');

const EPOCH = Date.parse('2011-12-01T00:00:00Z');
const anInstant = fc.integer({ min: EPOCH, max: EPOCH + 9_000 * DAY_MS });

const user = (id: string): Participant => ({ type: 'user', id });
const aUser = fc.constantFrom('ada', 'bob', 'eve', 'kim');
const aParticipant: fc.Arbitrary<Participant> = fc.oneof(
  { arbitrary: aUser.map(user), weight: 8 },
  fc.constantFrom<Participant>({ type: 'none' }, { type: 'team', id: 'sre' }, { type: 'escalation', id: 'late' }),
);

const aHalfHour = fc.record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.constantFrom(0, 30) });
const aTimeOfDay = fc.tuple(aHalfHour, aHalfHour).map(([start, end]) => ({
  startHour: start.hour,
  startMin: start.minute,
  endHour: end.hour,
  endMin: end.minute,
}));
const aWeekday = fc.constantFrom<Weekday>(
  ...(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const),
);

export const aRestriction: fc.Arbitrary<TimeRestriction> = fc.oneof(
  aTimeOfDay.map((restriction): TimeRestriction => ({ type: 'time-of-day', restriction })),
  fc
    .array(
      fc.tuple(aWeekday, aWeekday, aTimeOfDay).map(([startDay, endDay, times]) => ({ startDay, endDay, ...times })),
      { minLength: 1, maxLength: 4 },
    )
    .map((restrictions): TimeRestriction => ({ type: 'weekday-and-time-of-day', restrictions })),
);

/** A rotation that starts on the half-hour grid of `zone`, as all do. */
export const aRotation = (zone: string, start: fc.Arbitrary<number> = anInstant): fc.Arbitrary<Rotation> =>
  fc
    .record({
      start,
      lasts: fc.option(fc.integer({ min: HOUR_MS, max: 500 * DAY_MS }), { nil: undefined }),
      type: fc.constantFrom('hourly' as const, 'daily' as const, 'weekly' as const),
      length: fc.oneof(fc.constantFrom(1, 2, 7, 24, 168), fc.integer({ min: 1, max: 12 })),
      participants: fc.array(aParticipant, { minLength: 1, maxLength: 4 }),
      timeRestriction: fc.option(aRestriction, { nil: undefined }),
    })
    .map(({ start: asked, lasts, ...rest }) => {
      const startAt = snapToHalfHour(new Date(asked), zone);
      const endAt = lasts === undefined ? undefined : snapToHalfHour(new Date(startAt.getTime() + lasts), zone);
      return rotationOf(rest.participants, { ...rest, startAt, endAt });
    });

const aSpan = (range: Span, grid: number): fc.Arbitrary<{ startAt: Date; endAt: Date }> => {
  const last = Math.floor((range.until - range.from) / grid);
  return fc
    .tuple(fc.integer({ min: 0, max: last }), fc.integer({ min: 1, max: Math.min(last, 2_000) }))
    .map(([from, length]) => ({
      startAt: new Date(range.from + from * grid),
      endAt: new Date(range.from + (from + length) * grid),
    }));
};

/** A schedule with everything that may lie over it, around `range`. */
export interface Scene {
  readonly schedule: Schedule;
  readonly forwardingRules: readonly ForwardingRule[];
  readonly range: Span;
  /** The entities in the schedule and the rules that were deleted, as `type:id`. */
  readonly gone: ReadonlySet<string>;
}

/** Whether an entity of a scene exists. */
export const existsIn =
  ({ gone }: Pick<Scene, 'gone'>): Exists =>
  ({ id, type }) =>
    !gone.has(`${type}:${id}`);

/** A snapshot of a scene with those of `users`, and of its team and its escalation, that are not gone. */
export function snapshotOfScene(scene: Scene, users: readonly UserState[]): Snapshot {
  const { forwardingRules, schedule } = scene;
  const exists = existsIn(scene);
  return snapshotOf({
    schedules: [schedule],
    users: users.filter(({ id }) => exists({ type: 'user', id })),
    teams: exists({ type: 'team', id: 'sre' }) ? [teamOf('sre', {}, { type: 'none' })] : [],
    escalations: exists({ type: 'escalation', id: 'late' }) ? [escalationOf('late', [])] : [],
    forwardingRules,
  });
}

/** Mostly nothing. */
const whatIsGone = fc
  .oneof(fc.constant([]), fc.subarray(['user:ada', 'user:bob', 'user:eve', 'user:kim', 'team:sre', 'escalation:late']))
  .map((gone) => new Set(gone));

const aRule = (range: Span, grid: number): fc.Arbitrary<ForwardingRule> =>
  fc
    .record({ fromUserId: aUser, toUserId: aUser, span: aSpan(range, grid), id: fc.uuid() })
    .filter(({ fromUserId, toUserId }) => fromUserId !== toUserId)
    .map(({ fromUserId, toUserId, id, span }) => forwardingOf(fromUserId, toUserId, { id, ...span }));

const anOverride = (range: Span, grid: number): fc.Arbitrary<Override> =>
  fc
    .record({
      alias: fc.uuid(),
      user: fc.oneof(
        aUser.map((id) => ({ type: 'user' as const, id })),
        fc.constant({ type: 'none' as const }),
      ),
      span: aSpan(range, grid),
      rotationIds: fc.option(fc.subarray(['r0', 'r1'], { minLength: 1 }), { nil: undefined }),
    })
    .map(({ span, ...override }) => ({ ...override, ...span }));

/** Overrides and forwarding rules begin and end on the half hours from the beginning of `range` on, or as `grid` says. */
export function aScene(zone: string, range: Span, grid: number = HOUR_MS / 2): fc.Arbitrary<Scene> {
  const start = fc.integer({ min: range.from - 20 * DAY_MS, max: range.from + (range.until - range.from) / 2 });
  return fc
    .record({
      rotations: fc.array(aRotation(zone, start), { maxLength: 3 }),
      overrides: fc.array(anOverride(range, grid), { maxLength: 5 }),
      forwardingRules: fc.array(aRule(range, grid), { maxLength: 6 }),
      gone: whatIsGone,
    })
    .map(({ rotations, overrides, ...rest }) => ({
      ...rest,
      schedule: scheduleOf(
        'ops',
        rotations.map((rotation, index) => ({ ...rotation, id: `r${index}` })),
        { timezone: zone, overrides },
      ),
      range,
    }));
}
