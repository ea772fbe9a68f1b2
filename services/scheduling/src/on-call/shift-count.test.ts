import { describe, expect, it } from '@jest/globals';
import { forwardingOf, rotationOf, scheduleOf } from '../testing/on-call-samples.ts';
import { Forwardings } from '../forwarding/forwarding.ts';
import { maxShifts } from './shift-count.ts';

const DAY_MS = 86_400_000;
const from = Date.parse('2026-02-01T00:00:00Z');
const range = { from, until: from + 10 * DAY_MS };

/** Counts how often it is asked for changes. */
class Counting extends Forwardings {
  asked = 0;

  override maxChanges(userIds: Iterable<string>, during: typeof range): number {
    this.asked += 1;
    return super.maxChanges(userIds, during);
  }
}

describe('maxShifts', () => {
  it('goes through forwarding rules once for all layers with the same users', () => {
    const half = { startAt: new Date(from + DAY_MS / 2), endAt: new Date(from + DAY_MS) };
    const forwardings = new Counting([forwardingOf('ada', 'edsger', half)]);
    const [ada, grace] = [{ type: 'user', id: 'ada' } as const, { type: 'user', id: 'grace' } as const];
    const rotationLayers = [[ada, grace], [grace, ada], [ada, grace, ada], [grace]];
    const schedule = scheduleOf(
      's1',
      rotationLayers.map((participants, at) => rotationOf(participants, { id: `r${at}` })),
    );
    expect(maxShifts(schedule, range, forwardings) - maxShifts(schedule, range, new Forwardings())).toBe(6);
    expect(forwardings.asked).toBe(2);
  });

  it('does not go through them for further layers once there are far too many shifts', () => {
    const hour = (at: number) => new Date(from + at * 3_600);
    const many = Array.from({ length: 2_000 }, (_, at) =>
      forwardingOf('ada', 'edsger', { startAt: hour(2 * at), endAt: hour(2 * at + 1) }),
    );
    const forwardings = new Counting(many);
    const rotations = Array.from({ length: 1_000 }, (_, at) =>
      rotationOf(['ada', `u${at}`].map((id) => ({ type: 'user', id }) as const)),
    );
    expect(maxShifts(scheduleOf('s1', rotations), range, forwardings)).toBeGreaterThan(500_000);
    expect(forwardings.asked).toBeLessThan(130);
  });
});
