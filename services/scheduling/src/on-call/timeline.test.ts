import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { participantsAt } from './on-call.ts';
import { Forwardings } from '../forwarding/forwarding.ts';
import { aScene, aZone, existsIn, NORMAL, runs, type Scene } from '../testing/random-schedules.ts';
import { covers, DAY_MS, type Span } from './span.ts';
import { keyOf, merged, timelineOf, type Shift, type Timeline } from './timeline.ts';

const drawn = (scene: Scene): Timeline =>
  timelineOf(scene.schedule, scene.range, {
    forwardings: new Forwardings(scene.forwardingRules),
    exists: existsIn(scene),
  });

const RANGE_MS = 15 * DAY_MS;
const scenes = fc
  .tuple(aZone, fc.integer({ min: Date.parse('2011-12-01T00:00Z'), max: Date.parse('2037-12-01T00:00Z') }))
  .chain(([zone, from]) => aScene(zone, { from, until: from + RANGE_MS }, 60_000));

/** The participants on call at one instant, per rotation. */
function pointwise(scene: Scene, instant: number): readonly string[] {
  const { schedule, forwardingRules } = scene;
  const exists = existsIn(scene);
  const forwardings = new Forwardings(forwardingRules);
  return participantsAt(schedule, new Date(instant), 'default', exists).flatMap(({ rotation, participant }) => {
    if (participant.type === 'none') return [];
    if (participant.type !== 'user') return [`${rotation.id} ${keyOf(participant)}`];
    const { userId, chain } = forwardings.at(participant.id, instant, exists);
    return [`${rotation.id} user:${userId}${chain.length > 0 ? `<${participant.id}` : ''}`];
  });
}

const inTimeline = ({ final }: Timeline, instant: number): readonly string[] =>
  final.flatMap(({ rotation, shifts }) =>
    shifts
      .filter((shift) => covers(shift, instant))
      .map(({ recipient, fromUserId }) => `${rotation.id} ${keyOf(recipient)}${fromUserId ? `<${fromUserId}` : ''}`),
  );

const edgesOf = ({ final }: Timeline, { from, until }: Span): readonly number[] =>
  final
    .flatMap(({ shifts }) => shifts.flatMap((shift) => [shift.from, shift.until, shift.from - 1, shift.until - 1]))
    .filter((edge) => edge >= from && edge < until);

const allPeriods = (timeline: Timeline): readonly (readonly Shift[])[] =>
  [timeline.base, timeline.override, timeline.forwarding, timeline.final].flatMap((rotationLayers) =>
    rotationLayers.map(({ shifts }) => shifts),
  );

describe('a timeline', () => {
  it('names the users on call at each instant', () => {
    fc.assert(
      fc.property(scenes, fc.array(fc.integer({ min: 0, max: RANGE_MS - 1 }), { maxLength: 20 }), (scene, offsets) => {
        const timeline = drawn(scene);
        const instants = [...offsets.map((offset) => scene.range.from + offset), ...edgesOf(timeline, scene.range)];
        const differing = instants
          .map((instant) => ({ instant, drawn: inTimeline(timeline, instant), asked: pointwise(scene, instant) }))
          .find(({ drawn: shown, asked }) => shown.join() !== asked.join());
        expect(differing).toBeUndefined();
      }),
      runs(NORMAL),
    );
  });

  it('names no deleted user in any layer', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const named = allPeriods(drawn(scene)).flatMap((shifts) => shifts.map(({ recipient }) => keyOf(recipient)));
        expect(named.filter((key) => scene.gone.has(key))).toEqual([]);
      }),
      runs(NORMAL),
    );
  });

  it('has in every layer only periods of some length within its range, in order, none like the one that it touches', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        for (const shifts of allPeriods(drawn(scene))) {
          const ends = [scene.range.from, ...shifts.map(({ until }) => until)];
          expect(shifts.filter(({ from, until }, index) => from < (ends[index] ?? Infinity) || from >= until)).toEqual(
            [],
          );
          expect(ends.at(-1)).toBeLessThanOrEqual(scene.range.until);
          expect(merged(shifts)).toEqual(shifts);
        }
      }),
      runs(NORMAL),
    );
  });

  it('is the same when its range is split anywhere and joined again', () => {
    fc.assert(
      fc.property(scenes, fc.integer({ min: 1, max: RANGE_MS - 1 }), (scene, offset) => {
        const { from, until } = scene.range;
        const before = drawn({ ...scene, range: { from, until: from + offset } });
        const after = drawn({ ...scene, range: { from: from + offset, until } });
        const [first, second] = [allPeriods(before), allPeriods(after)];
        expect(first.map((shifts, index) => merged([...shifts, ...(second[index] ?? [])]))).toEqual(
          allPeriods(drawn(scene)),
        );
      }),
      runs(NORMAL),
    );
  });

  it('is not changed outside of its interval by an override, nor at all by the same override once more', () => {
    fc.assert(
      fc.property(scenes, scenes, (scene, other) => {
        const [override] = other.schedule.overrides;
        fc.pre(override !== undefined);
        const shift = scene.range.from - other.range.from;
        const moved = {
          ...override,
          startAt: new Date(override.startAt.getTime() + shift),
          endAt: new Date(override.endAt.getTime() + shift),
        };
        const withOverrides = (overrides: Scene['schedule']['overrides']): Scene => ({
          ...scene,
          schedule: { ...scene.schedule, overrides },
        });
        const once = withOverrides([...scene.schedule.overrides, moved]);
        const twice = withOverrides([...scene.schedule.overrides, moved, { ...moved, alias: 'again' }]);
        expect(drawn(twice)).toEqual(drawn(once));
        const { from, until } = scene.range;
        const [start, end] = [Math.min(moved.startAt.getTime(), until), Math.min(moved.endAt.getTime(), until)];
        for (const range of [
          { from, until: start },
          { from: end, until },
        ].filter((part) => part.from < part.until))
          expect(drawn({ ...once, range })).toEqual(drawn({ ...scene, range }));
      }),
      runs(NORMAL),
    );
  });

  it('of a disabled schedule has no periods', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const disabled = drawn({ ...scene, schedule: { ...scene.schedule, enabled: false } });
        expect(allPeriods(disabled).flat()).toEqual([]);
        expect(disabled.final.length).toBe(Math.max(1, scene.schedule.rotations.length));
      }),
    );
  });
});
