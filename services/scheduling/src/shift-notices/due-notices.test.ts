import { describe, expect, it } from '@jest/globals';
import type { LeadTime } from '@tocsin/events';
import { forwardingOf, rotationOf, scheduleOf, snapshotOf, teamOf, userOf } from '../testing/on-call-samples.ts';
import { shiftRule, PlayedSchedule, linesOf, notifiedUser } from '../testing/shift-samples.ts';
import type { ForwardingRule } from '../forwarding/forwarding.ts';
import type { Override } from '../schedules/override.ts';
import type { Participant, Rotation, Schedule } from '../schedules/schedule.ts';
import { dueNotices } from './due-notices.ts';

const at = (text: string) => new Date(`${text}:00Z`);
const users = (...ids: readonly string[]): readonly Participant[] => ids.map((id) => ({ type: 'user', id }));

/** Ada and Bob hand over at nine. */
const daily = (over: Partial<Rotation> = {}, ids: readonly string[] = ['ada', 'bob']): Rotation =>
  rotationOf(users(...ids), { startAt: at('2026-03-01T09:00'), ...over });

const override = (id: string | undefined, startAt: string, endAt: string): Override => ({
  alias: `${id} ${startAt}`,
  user: id === undefined ? { type: 'none' } : { type: 'user', id },
  startAt: at(startAt),
  endAt: at(endAt),
  rotationIds: undefined,
});

const known = (leads?: readonly LeadTime[], forwardingRules: readonly ForwardingRule[] = []) =>
  snapshotOf({ users: ['ada', 'bob', 'eve'].map((id) => notifiedUser(id, leads)), forwardingRules });

const play = (schedule: Schedule, from: string, until: string, snapshot = known(['15-minutes-ago'])) =>
  linesOf(new PlayedSchedule(at(from)).playTo(at(until), snapshot, schedule).notices);

describe('notices of shifts', () => {
  it('are due at each lead time of a start or end that a rule asks for', () => {
    const snapshot = known(['just-before', '15-minutes-ago']);
    expect(play(scheduleOf('ops', [daily()]), '2026-03-03T00:00', '2026-03-04T00:00', snapshot)).toEqual([
      '03-03T08:45 ada start 03-03T09:00 15-minutes-ago',
      '03-03T08:45 bob end 03-03T09:00 15-minutes-ago',
      '03-03T08:59 ada start 03-03T09:00 just-before',
      '03-03T08:59 bob end 03-03T09:00 just-before',
    ]);
    const early = known(['1-day-ago', '1-hour-ago']);
    expect(play(scheduleOf('ops', [daily()]), '2026-03-03T00:00', '2026-03-04T00:00', early)).toEqual([
      '03-03T08:00 ada start 03-03T09:00 1-hour-ago',
      '03-03T08:00 bob end 03-03T09:00 1-hour-ago',
      '03-03T09:00 ada end 03-04T09:00 1-day-ago',
      '03-03T09:00 bob start 03-04T09:00 1-day-ago',
    ]);
  });

  it('have the content of a message, and their own id', () => {
    const schedule = scheduleOf('ops', [daily()], { name: 'Operations', timezone: 'Europe/Berlin' });
    const [notice] = new PlayedSchedule(at('2026-03-03T08:00')).playTo(
      at('2026-03-03T08:50'),
      known(['15-minutes-ago']),
      schedule,
    ).notices;
    expect(notice).toEqual({
      noticeId: 'shift:ops:bob:end:2026-03-03T09:00:00.000Z:15-minutes-ago',
      userId: 'bob',
      actionType: 'schedule-end',
      leadTime: '15-minutes-ago',
      schedule: { id: 'ops', name: 'Operations', timezone: 'Europe/Berlin' },
      rotations: ['Rot1'],
      changesAt: '2026-03-03T09:00:00.000Z',
      dueAt: '2026-03-03T08:45:00.000Z',
      at: '2026-03-03T08:45:00.000Z',
    });
  });

  it('follow only rules that are enabled and about this schedule', () => {
    const rules = (...notificationRules: readonly ReturnType<typeof shiftRule>[]) =>
      snapshotOf({ users: [{ ...userOf('ada'), notificationRules: [...notificationRules] }, userOf('bob')] });
    const startsOf = (snapshot: ReturnType<typeof rules>) =>
      play(scheduleOf('ops', [daily()]), '2026-03-03T00:00', '2026-03-04T00:00', snapshot);
    const start = '03-03T08:45 ada start 03-03T09:00 15-minutes-ago';
    const ofStart = (over: Parameters<typeof shiftRule>[2]) => shiftRule('schedule-start', ['15-minutes-ago'], over);
    expect(startsOf(rules(ofStart({})))).toEqual([start]);
    expect(startsOf(rules(ofStart({ enabled: false })))).toEqual([]);
    expect(startsOf(rules(ofStart({ scheduleIds: ['other'] })))).toEqual([]);
    expect(startsOf(rules(ofStart({ scheduleIds: ['other', 'ops'] })))).toEqual([start]);
    expect(startsOf(rules(ofStart({ enabled: false }), ofStart({})))).toEqual([start]);
  });

  it('follow overrides and forwarding, not the rotation beneath', () => {
    const schedule = scheduleOf('ops', [daily()], {
      overrides: [override('eve', '2026-03-03T09:00', '2026-03-03T12:00')],
    });
    const rules = [forwardingOf('bob', 'eve', { startAt: at('2026-03-04T15:00'), endAt: at('2026-03-05T00:00') })];
    expect(play(schedule, '2026-03-03T00:00', '2026-03-05T00:00', known(['15-minutes-ago'], rules))).toEqual([
      '03-03T08:45 bob end 03-03T09:00 15-minutes-ago',
      '03-03T08:45 eve start 03-03T09:00 15-minutes-ago',
      '03-03T11:45 ada start 03-03T12:00 15-minutes-ago',
      '03-03T11:45 eve end 03-03T12:00 15-minutes-ago',
      '03-04T08:45 ada end 03-04T09:00 15-minutes-ago',
      '03-04T08:45 bob start 03-04T09:00 15-minutes-ago',
      '03-04T14:45 bob end 03-04T15:00 15-minutes-ago',
      '03-04T14:45 eve start 03-04T15:00 15-minutes-ago',
      '03-04T23:45 bob start 03-05T00:00 15-minutes-ago',
      '03-04T23:45 eve end 03-05T00:00 15-minutes-ago',
    ]);
  });

  it('are not made for a user who stays on call across rotations and overrides', () => {
    const day = daily({ id: 'day', endAt: at('2026-03-03T09:00') }, ['ada']);
    const night = daily({ id: 'night', name: 'Rot2', startAt: at('2026-03-03T09:00'), endAt: at('2026-03-04T09:00') }, [
      'ada',
    ]);
    const schedule = scheduleOf('ops', [day, night], {
      overrides: [override('ada', '2026-03-03T20:00', '2026-03-04T10:00')],
    });
    const [start, end, ...more] = new PlayedSchedule(at('2026-02-27T00:00')).playTo(
      at('2026-03-09T00:00'),
      known(['15-minutes-ago']),
      schedule,
    ).notices;
    expect(linesOf([start, end].flatMap((one) => one ?? []))).toEqual([
      '03-01T08:45 ada start 03-01T09:00 15-minutes-ago',
      '03-04T09:45 ada end 03-04T10:00 15-minutes-ago',
    ]);
    expect([start?.rotations, end?.rotations, more]).toEqual([['Rot1'], ['Rot1', 'Rot2'], []]);
  });

  it('are not made for periods of teams, escalations, no recipient, or deleted users', () => {
    const participants: readonly Participant[] = [
      { type: 'team', id: 'sre' },
      { type: 'escalation', id: 'late' },
      { type: 'none' },
      { type: 'user', id: 'gone' },
    ];
    const snapshot = snapshotOf({
      users: [notifiedUser('ada')],
      teams: [teamOf('sre', { ada: 'user' }, { type: 'none' })],
    });
    const schedule = scheduleOf('ops', [rotationOf(participants)]);
    expect(play(schedule, '2026-03-01T00:00', '2026-03-09T00:00', snapshot)).toEqual([]);
    expect(
      dueNotices(snapshot, schedule, { from: at('2026-03-01T00:00'), now: at('2026-03-01T00:00') }).unknown,
    ).toEqual([{ type: 'user', id: 'gone' }]);
  });

  it('count lead times in elapsed time where the clocks change between notice and start', () => {
    const across = (timezone: string, startAt: string, now: string, until: string, leads: readonly LeadTime[]) =>
      play(scheduleOf('ops', [daily({ startAt: at(startAt) })], { timezone }), now, until, known(leads)).filter(
        (line) => line.includes('start'),
      );
    // Clocks go forward at 02:00 in Berlin (01:00 in UTC): nine o'clock is 08:00 in UTC before and 07:00 after.
    expect(
      across('Europe/Berlin', '2026-03-27T08:00', '2026-03-28T00:00', '2026-03-29T12:00', [
        '1-day-ago',
        '15-minutes-ago',
      ]),
    ).toEqual([
      '03-28T07:00 ada start 03-29T07:00 1-day-ago',
      '03-28T07:45 bob start 03-28T08:00 15-minutes-ago',
      '03-29T06:45 ada start 03-29T07:00 15-minutes-ago',
      '03-29T07:00 bob start 03-30T07:00 1-day-ago',
    ]);
    // They go back at 02:00 in New York: half past two is 06:30 in UTC before and 07:30 after.
    expect(
      across('America/New_York', '2026-10-30T06:30', '2026-10-31T07:00', '2026-11-01T08:00', [
        '1-day-ago',
        '1-hour-ago',
      ]),
    ).toEqual([
      '10-31T07:30 ada start 11-01T07:30 1-day-ago',
      '11-01T06:30 ada start 11-01T07:30 1-hour-ago',
      '11-01T07:30 bob start 11-02T07:30 1-day-ago',
    ]);
  });

  it('follow a shift that moved, and are not repeated', () => {
    const snapshot = known(['1-hour-ago', '15-minutes-ago']);
    const before = scheduleOf('ops', [daily({}, ['ada'])], {
      overrides: [override(undefined, '2026-03-01T09:00', '2026-03-03T09:00')],
    });
    const moved = { ...before, overrides: [override(undefined, '2026-03-01T09:00', '2026-03-03T12:00')] };
    const played = new PlayedSchedule(at('2026-03-03T00:00')).playTo(at('2026-03-03T08:30'), snapshot, before);
    played.touch(at('2026-03-03T08:30')).playTo(at('2026-03-03T08:40'), snapshot, moved);
    played.touch(at('2026-03-03T08:40')).playTo(at('2026-03-03T08:42'), snapshot, before);
    played.touch(at('2026-03-03T08:42')).playTo(at('2026-03-04T00:00'), snapshot, moved);
    expect(linesOf(played.notices)).toEqual([
      '03-03T08:00 ada start 03-03T09:00 1-hour-ago',
      '03-03T11:00 ada start 03-03T12:00 1-hour-ago',
      '03-03T11:45 ada start 03-03T12:00 15-minutes-ago',
    ]);
  });

  it('are not made of a schedule that is disabled', () => {
    const schedule = scheduleOf('ops', [daily()], { enabled: false });
    expect(play(schedule, '2026-03-01T00:00', '2026-03-09T00:00')).toEqual([]);
    expect(
      dueNotices(known(), schedule, { from: at('2026-03-01T00:00'), now: at('2026-03-01T00:00') }).nextAt,
    ).toBeUndefined();
  });

  describe('that are late after an outage', () => {
    const late = (now: string, schedule = scheduleOf('ops', [daily()])) => {
      const { notices, late } = dueNotices(known(['15-minutes-ago']), schedule, {
        from: at('2026-03-03T08:45'),
        now: at(now),
      });
      return {
        notices: linesOf(notices),
        late: late.map(({ notice, reason }) => [...linesOf([notice]), reason]).toSorted(),
      };
    };

    it('are returned once, while they are not too late', () => {
      expect(late('2026-03-03T10:00')).toEqual({
        notices: ['03-03T10:00 ada start 03-03T09:00 15-minutes-ago', '03-03T10:00 bob end 03-03T09:00 15-minutes-ago'],
        late: [],
      });
    });

    it('are not sent where the shift is over, or where the user came on call again after its end', () => {
      const schedule = scheduleOf('ops', [daily({ type: 'hourly' })]);
      expect(late('2026-03-03T11:10', schedule)).toEqual({
        notices: ['03-03T11:10 ada start 03-03T11:00 15-minutes-ago', '03-03T11:10 bob end 03-03T11:00 15-minutes-ago'],
        late: [
          ['03-03T11:10 ada end 03-03T10:00 15-minutes-ago', 'they have come on call again since'],
          ['03-03T11:10 ada start 03-03T09:00 15-minutes-ago', 'their time on call is over'],
          ['03-03T11:10 bob end 03-03T09:00 15-minutes-ago', 'they have come on call again since'],
          ['03-03T11:10 bob start 03-03T10:00 15-minutes-ago', 'their time on call is over'],
        ],
      });
    });

    it('are dropped after a day', () => {
      expect(late('2026-03-04T08:45').notices).toContain('03-04T08:45 ada start 03-03T09:00 15-minutes-ago');
      expect(late('2026-03-04T08:46')).toMatchObject({
        notices: ['03-04T08:46 ada end 03-04T09:00 15-minutes-ago', '03-04T08:46 bob start 03-04T09:00 15-minutes-ago'],
        late: [],
      });
    });
  });

  it('are computed again within a day, and not where none can be due', () => {
    const nextAt = (schedule: Schedule, now: string) =>
      dueNotices(known([]), schedule, { from: at(now), now: at(now) })
        .nextAt?.toISOString()
        .slice(0, 16);
    expect(nextAt(scheduleOf('ops', [daily()]), '2026-03-03T07:00')).toBe('2026-03-03T08:00');
    expect(nextAt(scheduleOf('ops', [daily({}, ['ada'])]), '2026-03-03T07:00')).toBe('2026-03-04T07:00');
    expect(nextAt(scheduleOf('ops', []), '2026-03-03T07:00')).toBeUndefined();
    const overridden = scheduleOf('ops', [], { overrides: [override('ada', '2026-06-01T00:00', '2026-06-02T00:00')] });
    expect(nextAt(overridden, '2026-03-03T07:00')).toBe('2026-03-04T07:00');
    expect(nextAt(overridden, '2026-06-02T00:00')).toBeUndefined();
    const ended = scheduleOf('ops', [daily({ endAt: at('2026-03-03T07:00') })]);
    expect(nextAt(ended, '2026-03-03T06:59')).toBe('2026-03-04T06:59');
    expect(nextAt(ended, '2026-03-03T07:00')).toBeUndefined();
  });
});
