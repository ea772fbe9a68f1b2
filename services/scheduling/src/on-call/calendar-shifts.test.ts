import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { finished } from '@tocsin/core';
import { forwardingOf, rotationOf, scheduleOf, userOf, snapshotOf } from '../testing/on-call-samples.ts';
import { Forwardings } from '../forwarding/forwarding.ts';
import { aScene, aZone, existsIn, runs, snapshotOfScene, type Scene } from '../testing/random-schedules.ts';
import { DAY_MS, HOUR_MS } from './span.ts';
import { merged, timelineOf } from './timeline.ts';
import type { Rotation } from '../schedules/schedule.ts';
import { mayHaveShiftOf, calendarShiftSteps, type CalendarShifts } from './calendar-shifts.ts';

const user = (id: string) => ({ type: 'user', id }) as const;
const allUsers = ['ada', 'bob', 'eve', 'kim'].map(userOf);
const midnight = (date: string): number => Date.parse(`${date}T00:00:00Z`);

/** Whole shifts reach back for years, which takes its time. */
const EFFORT = { usual: 150, deep: 5_000 };
const RANGE_MS = 15 * DAY_MS;
const scenes = fc
  .tuple(aZone, fc.integer({ min: midnight('2011-12-01'), max: midnight('2037-12-01') }))
  .chain(([zone, from]) => aScene(zone, { from, until: from + RANGE_MS }, 60_000));
const shiftsOf = (...asked: Parameters<typeof calendarShiftSteps>): CalendarShifts =>
  finished(calendarShiftSteps(...asked));

const shiftsOfScene = (scene: Scene) => shiftsOf(snapshotOfScene(scene, allUsers), scene.schedule, scene.range).shifts;

const daily = (over: Partial<Rotation> = {}) => rotationOf([user('ada'), user('bob')], over);
const snapshot = snapshotOf({ users: allUsers });
const march = { from: midnight('2026-03-01'), until: midnight('2026-04-01') };

describe('calendarShiftSteps', () => {
  it('names at every instant of the range whom the timeline names', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const { schedule, forwardingRules, range } = scene;
        const known = { forwardings: new Forwardings(forwardingRules), exists: existsIn(scene) };
        const shifts = shiftsOfScene(scene);
        for (const { rotation, shifts: drawn } of timelineOf(schedule, range, known).final) {
          const cut = shifts
            .filter((shift) => shift.rotation.id === rotation.id)
            .map(({ from, until, type, recipient, fromUserId }) => ({
              from: Math.max(from, range.from),
              until,
              type,
              recipient,
              fromUserId,
            }));
          expect(merged(cut)).toEqual(drawn);
        }
      }),
      runs(EFFORT),
    );
  });

  it('gives a shift the same key in whichever range it is seen, and no two the same', () => {
    fc.assert(
      fc.property(scenes, fc.integer({ min: 1, max: RANGE_MS - 1 }), (scene, offset) => {
        const { from, until } = scene.range;
        const shifts = shiftsOfScene(scene);
        const seen = new Map(shifts.map((shift) => [shift.key, shift]));
        expect(seen.size).toBe(shifts.length);
        for (const shift of shiftsOfScene({ ...scene, range: { from: from + offset, until } }))
          expect(seen.get(shift.key)).toEqual(shift);
      }),
      runs(EFFORT),
    );
  });

  it('follows a shift back to where it began, however long ago', () => {
    const startAt = new Date('2019-05-01T06:30:00Z');
    const alone = scheduleOf('ops', [rotationOf([user('ada')], { startAt })]);
    const [shift] = shiftsOf(snapshot, alone, march).shifts;
    expect(shift).toMatchObject({ from: startAt.getTime(), until: march.until, recipient: user('ada') });
  });

  it('does not take a hand-off at the beginning of the range for a shift that began before', () => {
    const { shifts } = shiftsOf(snapshot, scheduleOf('ops', [daily()]), march);
    expect([shifts.length, shifts[0]?.from]).toEqual([31, march.from]);
  });

  it('ends earlier where there would be too many shifts', () => {
    const hourly = Array.from({ length: 200 }, (_, index) => daily({ id: `r${index}`, type: 'hourly' }));
    const { shifts } = shiftsOf(snapshot, scheduleOf('ops', hourly), march);
    expect(shifts.length).toBeGreaterThan(5_000);
    expect(shifts.length).toBeLessThan(6_500);
    expect(shifts.at(-1)?.from).toBeLessThan(march.from + 2 * DAY_MS);
  });

  it('ends earlier where forwarding cuts shifts too often, or overrides lie close together', () => {
    const rotations = Array.from({ length: 100 }, (_, index) => daily({ id: `r${index}`, type: 'weekly' }));
    const atMinute = (minute: number) => ({
      startAt: new Date(march.from + minute * 60_000),
      endAt: new Date(march.from + minute * 60_000 + 30_000),
    });
    const minutes = Array.from({ length: 1_000 }, (_, minute) => minute);
    const forwardingRules = minutes.map((minute) => forwardingOf('ada', 'kim', atMinute(minute)));
    const overrides = minutes.map((minute) => ({
      alias: String(minute),
      user: user('kim'),
      rotationIds: undefined,
      ...atMinute(minute),
    }));
    const forwarded = shiftsOf(snapshotOf({ users: allUsers, forwardingRules }), scheduleOf('ops', rotations), march);
    const overridden = shiftsOf(snapshot, scheduleOf('ops', rotations, { overrides }), march);
    for (const { shifts } of [forwarded, overridden]) {
      expect(shifts.length).toBeGreaterThan(1_000);
      expect(shifts.length).toBeLessThan(7_000);
    }
  });

  it('has its whole range where many users forward their duty at times', () => {
    const people = Array.from({ length: 25 }, (_, index) => user(`u${index}`));
    const forwardingRules = people.flatMap(({ id }, index) =>
      [0, 1, 2, 3].map((times) => {
        const from = march.from + (times * 30 + index) * DAY_MS;
        const to = `u${(index * 7 + times * 3 + 2) % 25}`;
        return forwardingOf(id, to, { startAt: new Date(from + HOUR_MS), endAt: new Date(from + DAY_MS) });
      }),
    );
    const schedule = scheduleOf('ops', [rotationOf(people), rotationOf(people.toReversed(), { id: 'r2' })]);
    const range = { from: march.from, until: march.from + 120 * DAY_MS };
    const users = people.map(({ id }) => userOf(id));
    const { shifts } = shiftsOf(snapshotOf({ users, forwardingRules }), schedule, range);
    expect(Math.max(...shifts.map(({ until }) => until))).toBe(range.until);
  });

  it('names all unknown users to whom it leads', () => {
    const rotations = [rotationOf([user('gone'), { type: 'team', id: 'lost' }]), rotationOf([user('ada')])];
    const { unknown } = shiftsOf(snapshot, scheduleOf('ops', rotations), march);
    expect(unknown).toEqual(
      expect.arrayContaining([
        { type: 'user', id: 'gone' },
        { type: 'team', id: 'lost' },
      ]),
    );
    expect(unknown).toHaveLength(2);
  });

  it('has none of a disabled schedule', () => {
    expect(shiftsOf(snapshot, scheduleOf('ops', [daily()], { enabled: false }), march).shifts).toEqual([]);
  });
});

describe('mayHaveShiftOf', () => {
  it('is true of every schedule in which the user has a shift', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const forwardings = new Forwardings(scene.forwardingRules);
        for (const { recipient } of shiftsOfScene(scene)) {
          if (recipient.type !== 'user') continue;
          expect(mayHaveShiftOf(scene.schedule, forwardings.leadingTo(recipient.id))).toBe(true);
        }
      }),
      runs(EFFORT),
    );
  });

  it('counts rotations, overrides and duties that may be passed on, directly or through others', () => {
    const override = {
      alias: 'holiday',
      user: user('kim'),
      startAt: new Date(march.from),
      endAt: new Date(march.from + HOUR_MS),
      rotationIds: undefined,
    };
    const schedule = scheduleOf('ops', [daily()], { overrides: [override] });
    const forwardings = new Forwardings([forwardingOf('ada', 'eve'), forwardingOf('eve', 'lea')]);
    const served = ['ada', 'kim', 'lea', 'zoe'].filter((id) => mayHaveShiftOf(schedule, forwardings.leadingTo(id)));
    expect(served).toEqual(['ada', 'kim', 'lea']);
  });
});
