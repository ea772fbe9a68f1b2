import { describe, expect, it } from '@jest/globals';
import { rotationOf, scheduleOf, snapshotOf } from '../testing/on-call-samples.ts';
import { notifiedUser } from '../testing/shift-samples.ts';
import type { Schedule } from '../schedules/schedule.ts';
import { dueNotices } from './due-notices.ts';

const many = <T>(count: number, item: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => item(at));
const now = new Date('2026-03-10T12:00:00Z');
const hourly = (rotations: number, ids: readonly string[], over: Partial<Schedule> = {}): Schedule => {
  const participants = ids.map((id) => ({ type: 'user', id }) as const);
  const rotation = (at: number) => rotationOf(participants, { id: `r${at}`, name: `R${at}`, type: 'hourly' });
  return scheduleOf('ops', many(rotations, rotation), over);
};
const snapshot = snapshotOf({ users: ['ada', 'bob', ...many(60, (at) => `u${at}`)].map((id) => notifiedUser(id)) });

describe('a schedule with very many shifts', () => {
  it.each([50, 1_000])(
    'notifies at every lead time where it has %i rotations that hand over each hour',
    (rotations) => {
      const { nextAt, notices } = dueNotices(snapshot, hourly(rotations, ['ada', 'bob']), { from: now, now });
      expect(new Set(notices.map(({ leadTime }) => leadTime))).toEqual(new Set(['1-hour-ago', '1-day-ago']));
      expect(notices[0]?.rotations).toEqual(many(10, (at) => `R${at}`));
      expect(nextAt).toEqual(new Date('2026-03-10T12:45:00Z'));
    },
  );

  it('notifies less far ahead where there is no room for all of them', () => {
    const restrictions = many(14, (at) => ({
      startDay: (['tuesday', 'wednesday'] as const)[at % 2] ?? 'tuesday',
      startHour: 11 + Math.floor(at / 2),
      startMin: 0,
      endDay: (['tuesday', 'wednesday'] as const)[at % 2] ?? 'tuesday',
      endHour: 11 + Math.floor(at / 2),
      endMin: 30,
    }));
    const timeRestriction = { type: 'weekday-and-time-of-day' as const, restrictions };
    const schedule = hourly(1_000, ['ada', 'bob']);
    const rotations = schedule.rotations.map((rotation) => ({ ...rotation, timeRestriction }));
    const { nextAt, notices } = dueNotices(snapshot, { ...schedule, rotations }, { from: now, now });
    expect(new Set(notices.map(({ leadTime }) => leadTime))).toEqual(new Set(['1-hour-ago']));
    expect(nextAt).toEqual(new Date('2026-03-10T12:15:00Z'));
  });

  it('is not drawn where even half an hour has too many, and is looked at again', () => {
    const overrides = many(1_000, (at) => ({
      alias: `${at}`,
      user: { type: 'user', id: 'ada' } as const,
      startAt: new Date('2026-03-01T00:00:00Z'),
      endAt: new Date('2026-04-01T00:00:00Z'),
      rotationIds: undefined,
    }));
    const schedule = hourly(1_000, ['ada', 'bob'], { overrides });
    expect(dueNotices(snapshot, schedule, { from: now, now })).toEqual({
      notices: [],
      late: [],
      unknown: [],
      nextAt: new Date('2026-03-10T13:00:00Z'),
    });
  });

  it('makes the notices that fell due in a day without a process in parts, each once', () => {
    const rotations = many(60, (at) =>
      rotationOf([{ type: 'user', id: `u${at}` }, { type: 'none' }], { id: `r${at}`, name: `R${at}`, type: 'hourly' }),
    );
    const schedule = scheduleOf('ops', rotations);
    const from = new Date(now.getTime() - 86_400_000);
    const ids: string[] = [];
    let next: Date | undefined = from;
    let parts = 0;
    for (; next !== undefined && next <= now; parts += 1) {
      const due = dueNotices(snapshot, schedule, { from: next, now });
      const all = [...due.notices, ...due.late.map(({ notice }) => notice)];
      ids.push(...all.map(({ noticeId }) => noticeId));
      next = due.nextAt;
    }
    expect(parts).toBeGreaterThan(1);
    expect(new Set(ids).size).toBe(ids.length);
    // Each hour a user comes on call or goes off. Notices of that are due at the hour for two lead times, and in between for two.
    expect(ids).toHaveLength(60 * (25 + 25 + 24 + 24));
  });
});
