import { describe, expect, it } from '@jest/globals';
import type { TimeRestriction, Weekday } from '@tocsin/events';
import { rotationOf } from '../testing/on-call-samples.ts';
import { snapToHalfHour } from '../schedules/schedule.ts';
import { jumpsOf, TICK_MS, walkedClock, walkRestriction, walkTurns, type WalkedClock } from '../testing/plain-walk.ts';
import { ZONES } from '../testing/random-schedules.ts';
import { Restriction } from './restriction.ts';
import { DAY_MS } from './span.ts';
import { Turns } from './turns.ts';

const DAY_TICKS = 48;
/** Half hours before and after a change from which turns start and restrictions begin or end. */
const AROUND = [-2, -1, 0, 1, 2];
const LENGTHS = [
  ...[1, 2, 7, 24, 168].map((length) => ({ type: 'hourly', length, turnTicks: 2 * length }) as const),
  ...[1, 2, 7].map((length) => ({ type: 'daily', length, turnTicks: DAY_TICKS * length }) as const),
  ...[1, 2].map((length) => ({ type: 'weekly', length, turnTicks: 7 * DAY_TICKS * length }) as const),
];
const DAYS: readonly Weekday[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** From the year in which Apia lost a day, and while the clocks of Sao Paulo still changed; else from 2020. */
const firstYear = (zone: string) => (zone === 'Pacific/Apia' || zone === 'America/Sao_Paulo' ? 2011 : 2020);

/** The clocks from two weeks before each of their changes on; where they never change, of a month of March. */
function changesOf(zone: string): readonly WalkedClock[] {
  const around = (from: number) => walkedClock(zone, from - 16 * DAY_MS, 28 * DAY_TICKS);
  const clocks: WalkedClock[] = [];
  for (let from = Date.UTC(firstYear(zone), 0, 1); from < Date.UTC(2038, 0, 1); from += 8 * DAY_MS) {
    const [early, late] = [walkedClock(zone, from, 1), walkedClock(zone, from + 8 * DAY_MS, 1)];
    const changed = (late.shown[0] ?? 0) - (early.shown[0] ?? 0) !== (late.origin - early.origin) / TICK_MS;
    if (changed) clocks.push(around(from));
  }
  return clocks.length > 0 ? clocks : [around(Date.UTC(2020, 2, 22))];
}

/** The entry of the change, or one in the middle. */
const jumpOf = (clock: WalkedClock): number => jumpsOf(clock)[0] ?? 20 * DAY_TICKS;

/** Where, a day and a half before and after the change, the two differ: the words for the message of a failure. */
function differences(clock: WalkedClock, walked: (tick: number) => unknown, found: (instant: number) => unknown) {
  const different: string[] = [];
  const jump = jumpOf(clock);
  for (let tick = jump - 1.5 * DAY_TICKS; tick < jump + 1.5 * DAY_TICKS; tick += 1) {
    const instant = clock.origin + tick * TICK_MS;
    const [expected, actual] = [walked(tick), found(instant)];
    if (expected !== actual)
      different.push(`${new Date(instant).toISOString()}: ${String(expected)}, ${String(actual)}`);
  }
  return different;
}

/** Starts on, inside and after the change, and as many whole turns before it that hand-offs come to lie there. */
function startsAround(clock: WalkedClock, turnTicks: number): readonly Date[] {
  const before = Math.ceil((2 * DAY_TICKS) / turnTicks) * turnTicks;
  return AROUND.flatMap((ticks) => [jumpOf(clock) + ticks, jumpOf(clock) + ticks - before]).map((tick) =>
    snapToHalfHour(new Date(clock.origin + tick * TICK_MS), clock.zone),
  );
}

describe.each(ZONES)('the clocks of %s', (zone) => {
  const changes = changesOf(zone);

  it('are known in both turns of every year', () => {
    const fewer: Readonly<Record<string, number>> = {
      UTC: 1,
      'Asia/Kathmandu': 1,
      'Africa/Casablanca': 12,
      'Pacific/Apia': 20,
      'America/Sao_Paulo': 15,
    };
    expect(changes.length).toBeGreaterThanOrEqual(fewer[zone] ?? 36);
  });

  it('hand off turns of every length as a walk does, whenever they started', () => {
    const failures = changes.flatMap((clock) =>
      LENGTHS.flatMap(({ turnTicks, ...length }) =>
        startsAround(clock, turnTicks).flatMap((startAt) => {
          const rotation = rotationOf([{ type: 'none' }], { ...length, startAt });
          const walked = walkTurns(rotation, clock);
          const turns = new Turns(rotation, zone);
          const found = differences(
            clock,
            (tick) => walked[tick],
            (instant) => turns.at(instant)?.index,
          );
          return found.length === 0 ? [] : [{ startAt, length, first: found[0] }];
        }),
      ),
    );
    expect(failures).toEqual([]);
  });

  it('begin and end restrictions as a walk does, also inside of a change', () => {
    const failures = changes.flatMap((clock) =>
      restrictionsAround(clock).flatMap((one) => {
        const restriction = new Restriction(one, zone);
        const found = differences(
          clock,
          (tick) => walkRestriction(one, clock, tick),
          (instant) => restriction.covers(instant),
        );
        return found.length === 0 ? [] : [{ one, first: found[0] }];
      }),
    );
    expect(failures).toEqual([]);
  });
});

/** Every night and, in the other form, on the day of the change alone: from each time around the change to each. */
function restrictionsAround(clock: WalkedClock): readonly TimeRestriction[] {
  const jump = jumpOf(clock);
  const before = (clock.shown[jump - 1] ?? 0) + 1;
  // 1970-01-01, from which half hours are counted, was a Thursday.
  const day = DAYS[(Math.floor(before / DAY_TICKS) + 3) % 7] ?? 'monday';
  const clockTime = (half: number) => ({ hour: Math.floor((half % DAY_TICKS) / 2), minute: (half % 2) * 30 });
  return AROUND.flatMap((from) =>
    AROUND.flatMap((to): readonly TimeRestriction[] => {
      const [start, end] = [clockTime(before + from + DAY_TICKS), clockTime(before + to + DAY_TICKS)];
      const times = { startHour: start.hour, startMin: start.minute, endHour: end.hour, endMin: end.minute };
      return [
        { type: 'time-of-day', restriction: times },
        { type: 'weekday-and-time-of-day', restrictions: [{ startDay: day, endDay: day, ...times }] },
      ];
    }),
  );
}
