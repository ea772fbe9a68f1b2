import { describe, expect, it } from '@jest/globals';
import { casesOf } from '@tocsin/testkit';
import fc from 'fast-check';
import { participantsAt } from './on-call.ts';
import { Forwardings } from '../forwarding/forwarding.ts';
import { TICK_MS, walkedClock, walkSchedule, type WalkedClock } from '../testing/plain-walk.ts';
import { aScene, existsIn, ZONES, type Scene } from '../testing/random-schedules.ts';
import { DAY_MS } from './span.ts';
import { keyOf, timelineOf, type Shift } from './timeline.ts';

/** Two years each; the walk needs some days before and after to know what the clocks had shown and will show. */
const YEARS = ['2011-07-01', '2017-06-01', '2024-01-01', '2034-03-01'].map((day) => Date.parse(`${day}T00:00:00Z`));
const TICKS = 2 * 365 * 48;
const MARGIN_TICKS = 30 * 48;

const clocks = new Map<string, WalkedClock>();
function clockOf(zone: string, from: number): WalkedClock {
  const key = `${zone} ${from}`;
  const clock = clocks.get(key) ?? walkedClock(zone, from - MARGIN_TICKS * TICK_MS, TICKS + 2 * MARGIN_TICKS);
  clocks.set(key, clock);
  return clock;
}

const word = (key: string, fromUserId: string | undefined) => (fromUserId === undefined ? key : `${key}<${fromUserId}`);

/** The participants on call at each tick by the timeline of the whole range. */
function drawnWords(shifts: readonly Shift[], clock: WalkedClock): readonly string[] {
  let next = 0;
  return clock.shown.map((_, tick) => {
    const instant = clock.origin + tick * TICK_MS;
    while ((shifts[next]?.until ?? Infinity) <= instant) next += 1;
    const shift = shifts[next];
    if (shift === undefined || shift.from > instant) return '';
    return word(keyOf(shift.recipient), shift.fromUserId);
  });
}

/** The participants on call at one tick, computed alone. */
function askedWords(scene: Scene, forwardings: Forwardings, instant: number): readonly string[] {
  const { schedule } = scene;
  const exists = existsIn(scene);
  const ids = schedule.rotations.length === 0 ? [schedule.id] : schedule.rotations.map(({ id }) => id);
  const found = participantsAt(schedule, new Date(instant), 'default', exists);
  return ids.map((id) => {
    const participant = found.find(({ rotation }) => rotation.id === id)?.participant ?? { type: 'none' };
    if (participant.type === 'none') return '';
    if (participant.type !== 'user') return keyOf(participant);
    const { userId, chain } = forwardings.at(participant.id, instant, exists);
    return word(`user:${userId}`, chain.length > 0 ? participant.id : undefined);
  });
}

/** The first tick of which the two say different things. */
function firstDifference(walked: readonly string[], found: readonly string[]): string | undefined {
  for (let tick = MARGIN_TICKS; tick < MARGIN_TICKS + TICKS; tick += 1) {
    if (walked[tick] !== found[tick]) return `tick ${tick}: walked ${walked[tick] ?? ''}, found ${found[tick] ?? ''}`;
  }
  return undefined;
}

const scenes = fc.tuple(fc.constantFrom(...ZONES), fc.constantFrom(...YEARS)).chain(([zone, from]) => {
  const { origin } = clockOf(zone, from);
  const start = origin + MARGIN_TICKS * TICK_MS;
  return aScene(zone, { from: start, until: start + TICKS * TICK_MS }).map((scene) => ({ scene, zone, from }));
});

describe('a plain walk over the wall clock in half-hour steps', () => {
  it('finds over two years the same users on call as the timeline and as a request about the instant', () => {
    fc.assert(
      fc.property(scenes, ({ scene, zone, from }) => {
        const clock = clockOf(zone, from);
        const forwardings = new Forwardings(scene.forwardingRules);
        const walked = walkSchedule(scene, clock);
        const range = { from: scene.range.from - 2 * DAY_MS, until: scene.range.until + 2 * DAY_MS };
        const { final } = timelineOf(scene.schedule, range, { forwardings, exists: existsIn(scene) });
        expect(final.length).toBe(walked.length);
        final.forEach(({ shifts }, rotationLayer) => {
          expect(firstDifference(walked[rotationLayer] ?? [], drawnWords(shifts, clock))).toBeUndefined();
        });
        // Thirteen is prime to the half hours of a week: in time, all of them are met.
        const differing = Array.from({ length: Math.floor(TICKS / 13) }, (_, index) => MARGIN_TICKS + index * 13).find(
          (tick) =>
            askedWords(scene, forwardings, clock.origin + tick * TICK_MS).some(
              (who, rotationLayer) => who !== walked[rotationLayer]?.[tick],
            ),
        );
        expect(differing).toBeUndefined();
      }),
      { numRuns: casesOf({ usual: 200, deep: 2_000 }) },
    );
  });
});
