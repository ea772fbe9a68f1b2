import { describe, expect, it } from '@jest/globals';
import type { TimeRestriction } from '@tocsin/events';
import { finished } from '@tocsin/core';
import { type ForwardingRule, Forwardings } from '../forwarding/forwarding.ts';
import type { Override } from '../schedules/override.ts';
import type { Participant, Rotation, Schedule } from '../schedules/schedule.ts';
import { forwardingOf, rotationOf, scheduleOf } from '../testing/on-call-samples.ts';
import { nextOnCalls } from './next-on-call.ts';

const user = (id: string): Participant => ({ type: 'user', id });
const daily = (ids: readonly string[], over: Partial<Rotation> = {}) => rotationOf(ids.map(user), over);
const noon = new Date('2026-01-02T12:00:00Z');

function next(schedule: Schedule, rules: readonly ForwardingRule[] = [], at = noon) {
  const known = { forwardings: new Forwardings(rules), exists: () => true };
  const { byTurn, exact } = finished(nextOnCalls(schedule, at, known));
  const words = (found: typeof byTurn) =>
    found.map(
      ({ participant, forwardedFrom }) => participant.id + (forwardedFrom === undefined ? '' : `<${forwardedFrom}`),
    );
  return { byTurn: words(byTurn), exact: words(exact), exactAt: exact[0]?.at.toISOString() };
}

const override = (userId: string, from: string, until: string): Override => ({
  alias: userId,
  user: { type: 'user', id: userId },
  startAt: new Date(from),
  endAt: new Date(until),
  rotationIds: undefined,
});

describe('who is next on call', () => {
  it('is, per rotation, the participant of the turn after the present one', () => {
    const rotations = [daily(['ada', 'bob', 'eve']), daily(['kim', 'lea'], { id: 'week', type: 'weekly' })];
    expect(next(scheduleOf('ops', rotations)).byTurn).toEqual(['eve', 'lea']);
  });

  it('is empty for a rotation that has not begun, has ended or ends with the present turn, and for a turn without a user', () => {
    const rotations = [
      daily(['ada'], { startAt: new Date('2026-01-03T00:00:00Z') }),
      daily(['ada'], { endAt: new Date('2026-01-02T00:00:00Z') }),
      daily(['ada', 'bob'], { endAt: new Date('2026-01-02T18:00:00Z') }),
      rotationOf([user('ada'), user('bob'), { type: 'none' }]),
    ];
    expect(next(scheduleOf('ops', rotations)).byTurn).toEqual([]);
  });

  it('is the user to whom the duty is forwarded when that turn begins, not now', () => {
    const rotations = [daily(['ada', 'bob', 'eve'])];
    const later = forwardingOf('eve', 'kim', { startAt: new Date('2026-01-03T00:00:00Z') });
    const before = forwardingOf('eve', 'kim', { endAt: new Date('2026-01-03T00:00:00Z') });
    expect(next(scheduleOf('ops', rotations), [later]).byTurn).toEqual(['kim<eve']);
    expect(next(scheduleOf('ops', rotations), [before]).byTurn).toEqual(['eve']);
  });

  it('is, exactly, the next user of the final timeline, overrides and forwarding included', () => {
    const overrides = [override('kim', '2026-01-02T20:00:00Z', '2026-01-02T22:00:00Z')];
    const overridden = scheduleOf('ops', [daily(['ada', 'bob', 'eve'])], { overrides });
    expect(next(overridden)).toMatchObject({ exact: ['kim'], exactAt: '2026-01-02T20:00:00.000Z' });
    expect(next(overridden, [forwardingOf('kim', 'lea')])).toMatchObject({ exact: ['lea<kim'] });
  });

  it('is not the same user after a pause, but all users on call once another user comes on call', () => {
    const timeRestriction: TimeRestriction = {
      type: 'time-of-day',
      restriction: { startHour: 9, startMin: 0, endHour: 17, endMin: 0 },
    };
    const office = daily(['ada', 'bob'], { length: 3, timeRestriction });
    const schedule = scheduleOf('ops', [office, daily(['lea'], { id: 'always' })]);
    expect(next(schedule)).toMatchObject({ exact: ['bob', 'lea'], exactAt: '2026-01-04T09:00:00.000Z' });
  });

  it('has no exact answer where no other user comes on call within fourteen days, and no answer on a disabled schedule', () => {
    expect(next(scheduleOf('ops', [daily(['ada'])])).exact).toEqual([]);
    expect(next(scheduleOf('ops', [daily(['ada', 'bob'], { length: 20 })]))).toMatchObject({
      byTurn: ['bob'],
      exact: [],
    });
    const disabled = scheduleOf('ops', [daily(['ada', 'bob'])], { enabled: false });
    expect(next(disabled)).toMatchObject({ byTurn: [], exact: [] });
  });

  it('is found among hundreds of rotations that hand over by the hour', () => {
    const hourly = (_: unknown, index: number) => daily(['ada', 'bob'], { id: `r${index}`, type: 'hourly' });
    const { byTurn, exact } = next(scheduleOf('ops', Array.from({ length: 500 }, hourly)));
    expect([byTurn.length, new Set(exact)]).toEqual([500, new Set(['bob'])]);
  });

  it('is looked for less far ahead where a schedule has too many periods', () => {
    const overrides = Array.from({ length: 1_000 }, (_, hour) => ({
      ...override('ada', '2026-01-02T12:00:00Z', '2026-02-20T12:00:00Z'),
      startAt: new Date(noon.getTime() + hour * 3_600_000),
      endAt: new Date(noon.getTime() + hour * 3_600_000 + 60_000),
    }));
    const rotations = Array.from({ length: 500 }, (_, index) => daily(['ada'], { id: `r${index}` }));
    const late = rotationOf([user('bob')], { startAt: new Date('2026-01-15T12:00:00Z') });
    const few = { overrides: overrides.slice(0, 10) };
    expect(next(scheduleOf('ops', [...rotations, late], few)).exact).toContain('bob');
    expect(next(scheduleOf('ops', [...rotations, late], { overrides })).exact).toEqual([]);
  });

  it('is the first user to come on call where no user is on call now', () => {
    const schedule = scheduleOf('ops', [daily(['ada', 'bob'], { startAt: new Date('2026-01-05T00:00:00Z') })]);
    expect(next(schedule)).toMatchObject({ exact: ['ada'], exactAt: '2026-01-05T00:00:00.000Z' });
  });
});
