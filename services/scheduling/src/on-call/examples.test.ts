/** The drawings of docs/on-call-maths.md, made by the code that they explain. */
import { describe, expect, it } from '@jest/globals';
import type { TimeRestriction } from '@tocsin/events';
import { type ForwardingRule, Forwardings } from '../forwarding/forwarding.ts';
import type { Override } from '../schedules/override.ts';
import type { Participant, Rotation } from '../schedules/schedule.ts';
import { forwardingOf, rotationOf, scheduleOf } from '../testing/on-call-samples.ts';
import { covers, HOUR_MS } from './span.ts';
import { type RotationTimeline, type Shift, timelineOf } from './timeline.ts';

const users = (...ids: readonly string[]): readonly Participant[] => ids.map((id) => ({ type: 'user', id }));

/** One letter for each step of time: the first letter of the user on call, a dot where there is none. */
function letters(rotationLayers: readonly RotationTimeline[], from: string, steps: number, stepHours: number): string {
  const shifts = rotationLayers.flatMap((rotationLayer) => rotationLayer.shifts);
  return Array.from({ length: steps }, (_, step) => {
    const instant = Date.parse(from) + step * stepHours * HOUR_MS;
    return letterOf(shifts.find((shift) => covers(shift, instant)));
  }).join('');
}

const letterOf = (shift: Shift | undefined): string => {
  if (shift === undefined) return '.';
  return shift.recipient.type === 'none' ? '-' : (shift.recipient.id[0] ?? '?');
};

interface Drawing {
  readonly zone: string;
  readonly rotation: Rotation;
  readonly overrides?: readonly Override[];
  readonly forwardingRules?: readonly ForwardingRule[];
  readonly from: string;
  readonly steps: number;
  readonly stepHours: number;
}

function draw({ zone, rotation, overrides = [], forwardingRules = [], from, steps, stepHours }: Drawing) {
  const range = { from: Date.parse(from), until: Date.parse(from) + steps * stepHours * HOUR_MS };
  const schedule = scheduleOf('ops', [rotation], { timezone: zone, overrides });
  const forwardings = new Forwardings(forwardingRules);
  const timeline = timelineOf(schedule, range, { forwardings, exists: () => true });
  const line = (rotationLayers: readonly RotationTimeline[]) => letters(rotationLayers, from, steps, stepHours);
  return {
    base: line(timeline.base),
    override: line(timeline.override),
    forwarding: line(timeline.forwarding),
    final: line(timeline.final),
  };
}

const nights: TimeRestriction = {
  type: 'time-of-day',
  restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 0 },
};

describe('the examples of the documentation', () => {
  it('draw a week with an overnight restriction', () => {
    const rotation = rotationOf(users('ada', 'bob', 'eve'), { startAt: new Date('2026-05-04T12:00:00Z') });
    const week = { zone: 'UTC', from: '2026-05-04T00:00:00Z', steps: 7 * 12, stepHours: 2 };
    expect(draw({ ...week, rotation }).base).toBe(
      '......aaaaaaaaaaaabbbbbbbbbbbbeeeeeeeeeeeeaaaaaaaaaaaabbbbbbbbbbbbeeeeeeeeeeeeaaaaaa',
    );
    expect(draw({ ...week, rotation: { ...rotation, timeRestriction: nights } }).final).toBe(
      '...........aaaa........bbbb........eeee........aaaa........bbbb........eeee........a',
    );
    const midnight = { ...rotation, startAt: new Date('2026-05-04T00:00:00Z'), timeRestriction: nights };
    expect(draw({ ...week, rotation: midnight }).final).toBe(
      'aaa........abbb........beee........eaaa........abbb........beee........eaaa........a',
    );
  });

  it('draw the clock changes of New York', () => {
    const hourly = rotationOf(users('ada', 'bob', 'eve'), {
      type: 'hourly',
      startAt: new Date('2026-03-08T05:00:00Z'),
    });
    const night = { zone: 'America/New_York', steps: 12, stepHours: 0.5 };
    expect(draw({ ...night, rotation: hourly, from: '2026-03-08T05:00:00Z' }).final).toBe('aabbaabbeeaa');
    const autumn = { ...hourly, startAt: new Date('2026-11-01T04:00:00Z') };
    expect(draw({ ...night, rotation: autumn, from: '2026-11-01T04:00:00Z' }).final).toBe('aabbbbeeaabb');
    const early = { ...nights, restriction: { startHour: 0, startMin: 30, endHour: 1, endMin: 30 } };
    const restricted = rotationOf(users('ada'), { startAt: new Date('2026-10-01T04:00:00Z'), timeRestriction: early });
    expect(draw({ ...night, rotation: restricted, from: '2026-11-01T04:00:00Z' }).final).toBe('.aaaa.......');
    const lost = { ...nights, restriction: { startHour: 1, startMin: 0, endHour: 2, endMin: 30 } };
    const shortened = rotationOf(users('ada'), { startAt: new Date('2026-03-01T05:00:00Z'), timeRestriction: lost });
    expect(draw({ ...night, rotation: shortened, from: '2026-03-08T05:00:00Z' }).final).toBe('..aa........');
  });

  it('draw overrides over parts of shifts', () => {
    const rotation = rotationOf(users('ada', 'bob'), { startAt: new Date('2026-05-04T00:00:00Z') });
    const override = (id: string | undefined, from: number, until: number): Override => ({
      alias: id ?? 'none',
      user: id === undefined ? { type: 'none' } : { type: 'user', id },
      startAt: new Date(Date.parse('2026-05-04T00:00:00Z') + from * HOUR_MS),
      endAt: new Date(Date.parse('2026-05-04T00:00:00Z') + until * HOUR_MS),
      rotationIds: undefined,
    });
    const overrides = [override('eve', 12, 36), override('kim', 20, 28), override(undefined, 40, 44)];
    const week = { zone: 'UTC', from: '2026-05-04T00:00:00Z', steps: 3 * 12, stepHours: 2 };
    expect(draw({ ...week, rotation, overrides })).toMatchObject({
      base: 'aaaaaaaaaaaabbbbbbbbbbbbaaaaaaaaaaaa',
      override: '......eeeekkkkeeee..--..............',
      final: 'aaaaaaeeeekkkkeeeebb..bbaaaaaaaaaaaa',
    });
  });

  it('draw a chain of forwarding rules', () => {
    const rotation = rotationOf(users('ada'), { startAt: new Date('2026-05-04T00:00:00Z') });
    const rule = (from: string, to: string, startAt: string, endAt: string) =>
      forwardingOf(from, to, { startAt: new Date(startAt), endAt: new Date(endAt) });
    const forwardingRules = [
      rule('ada', 'bob', '2026-05-04T08:00:00Z', '2026-05-06T08:00:00Z'),
      rule('bob', 'eve', '2026-05-05T00:00:00Z', '2026-05-05T12:00:00Z'),
      rule('eve', 'ada', '2026-05-05T08:00:00Z', '2026-05-07T00:00:00Z'),
    ];
    const days = { zone: 'UTC', from: '2026-05-04T00:00:00Z', steps: 3 * 12, stepHours: 2 };
    expect(draw({ ...days, rotation, forwardingRules })).toMatchObject({
      base: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      forwarding: '....bbbbbbbbeeeeeebbbbbbbbbb........',
      final: 'aaaabbbbbbbbeeeeeebbbbbbbbbbaaaaaaaa',
    });
  });
});
