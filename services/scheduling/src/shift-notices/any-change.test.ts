import { describe, expect, it } from '@jest/globals';
import type { LeadTime, ShiftActionType, ShiftNotice } from '@tocsin/events';
import fc from 'fast-check';
import { aScene, aZone, existsIn, runs, snapshotOfScene, type Scene } from '../testing/random-schedules.ts';
import { LEADS, PlayedSchedule, notifiedUser } from '../testing/shift-samples.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../on-call/span.ts';
import { Forwardings } from '../forwarding/forwarding.ts';
import { timelineOf } from '../on-call/timeline.ts';
import type { Snapshot } from '../configuration/snapshot.ts';

const START = Date.parse('2026-03-20T00:00:00Z');
const RANGE = { from: START, until: START + 30 * DAY_MS };
const LEAD_MS: Readonly<Record<LeadTime, number>> = {
  'just-before': MINUTE_MS,
  '15-minutes-ago': 15 * MINUTE_MS,
  '1-hour-ago': HOUR_MS,
  '1-day-ago': DAY_MS,
};

/** A schedule that is changed now and then: each scene is in force from its instant until the next one's. */
interface History {
  readonly scenes: readonly { readonly scene: Scene; readonly from: number }[];
  readonly until: number;
}

const aHistory: fc.Arbitrary<History> = aZone.chain((zone) =>
  fc
    .array(fc.record({ scene: aScene(zone, RANGE), lasts: fc.integer({ min: 1, max: 4 * DAY_MS }) }), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => {
      let from = START;
      const scenes = parts.map(({ lasts, scene }) => {
        const begun = { scene, from };
        from += lasts;
        return begun;
      });
      return { scenes, until: from };
    }),
);

const snapshotFor = (scene: Scene): Snapshot =>
  snapshotOfScene(
    scene,
    ['ada', 'bob', 'eve', 'kim'].map((id) => notifiedUser(id)),
  );

/**
 * By brute force: walks the edges of the final timeline, and asks on both sides of each who is on call.
 */
function expected({ scene, from }: History['scenes'][number], until: number): string[] {
  const { forwardingRules, schedule } = scene;
  const range = { from: from - 2 * DAY_MS, until: until + 3 * DAY_MS };
  const known = { forwardings: new Forwardings(forwardingRules), exists: existsIn(scene) };
  const shifts = timelineOf(schedule, range, known).final.flatMap((rotationLayer) => rotationLayer.shifts);
  const onCall = (userId: string, instant: number) =>
    shifts.some(
      ({ from: begin, recipient, until: end }) =>
        recipient.type === 'user' && recipient.id === userId && begin <= instant && instant < end,
    );
  const edges = new Set(shifts.flatMap(({ from: begin, until: end }) => [begin, end]));
  return [...edges].flatMap((edge) =>
    ['ada', 'bob', 'eve', 'kim'].flatMap((userId) => {
      const [before, after] = [onCall(userId, edge - 1), onCall(userId, edge)];
      if (before === after) return [];
      const actionType: ShiftActionType = after ? 'schedule-start' : 'schedule-end';
      return LEADS.filter((leadTime) => edge - LEAD_MS[leadTime] >= from && edge - LEAD_MS[leadTime] < until).map(
        (leadTime) => nameOf({ userId, actionType, leadTime, changesAt: new Date(edge).toISOString() }),
      );
    }),
  );
}

const nameOf = ({
  actionType,
  changesAt,
  leadTime,
  userId,
}: Pick<ShiftNotice, 'userId' | 'actionType' | 'leadTime' | 'changesAt'>): string =>
  `${userId} ${actionType} ${changesAt} ${leadTime}`;

describe('a schedule that is changed now and then', () => {
  it('notifies once, at each lead time, of every shift that is in its final timeline then, and of no other', () => {
    fc.assert(
      fc.property(aHistory, ({ scenes, until }) => {
        const played = new PlayedSchedule(new Date(START));
        const wanted = new Set<string>();
        for (const [index, part] of scenes.entries()) {
          const end = scenes[index + 1]?.from ?? until;
          for (const name of expected(part, end)) wanted.add(name);
          played.touch(new Date(part.from));
          played.playTo(new Date(end - 1), snapshotFor(part.scene), part.scene.schedule);
        }
        const notices = played.notices;
        expect(notices.map(nameOf).toSorted()).toEqual([...wanted].toSorted());
        expect(new Set(notices.map(({ noticeId }) => noticeId)).size).toBe(notices.length);
        expect(notices.filter(({ at, dueAt }) => at !== dueAt)).toEqual([]);
      }),
      runs({ usual: 150, deep: 3_000 }),
    );
  });

  it('returns each notice that is not too late once, however late it is asked', () => {
    const lags = fc.array(fc.integer({ min: 1, max: 2 * DAY_MS }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        aZone.chain((zone) => aScene(zone, RANGE)),
        lags,
        (scene, pauses) => {
          const snapshot = snapshotFor(scene);
          const [played, inTime] = [new PlayedSchedule(new Date(START)), new PlayedSchedule(new Date(START))];
          let now = START;
          for (const pause of pauses) played.publishAt(new Date((now += pause)), snapshot, scene.schedule);
          inTime.playTo(new Date(now), snapshot, scene.schedule);
          const ids = played.notices.map(({ noticeId }) => noticeId);
          expect(new Set(ids).size).toBe(ids.length);
          const known = new Set(inTime.notices.map(({ noticeId }) => noticeId));
          expect(ids.filter((id) => !known.has(id))).toEqual([]);
          // Notices of changes that are still ahead are returned, up to a day late.
          const ahead = inTime.notices.filter(
            ({ changesAt, dueAt }) => Date.parse(changesAt) > now && Date.parse(dueAt) > now - DAY_MS,
          );
          expect(ahead.filter(({ noticeId }) => !ids.includes(noticeId)).map(({ noticeId }) => noticeId)).toEqual([]);
        },
      ),
      runs({ usual: 150, deep: 3_000 }),
    );
  });
});
