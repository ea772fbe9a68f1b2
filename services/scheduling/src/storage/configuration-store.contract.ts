import { describe, expect, it } from '@jest/globals';
import { nextVersion } from '@tocsin/contracts';
import { ConflictError } from '@tocsin/errors';
import type { Configuration } from '../domain/configuration.ts';
import type { Escalation } from '../domain/escalation.ts';
import type { Schedule } from '../domain/schedule.ts';
import type { ConfigurationStore } from '../ports/configuration-store.ts';

const createdAt = new Date('2026-01-01T00:00:00Z');

export const opsSchedule: Schedule = {
  id: 'schedule-1',
  name: 'Ops',
  description: 'who is woken',
  timezone: 'Asia/Calcutta',
  enabled: true,
  ownerTeamId: 'team-1',
  rotations: [
    {
      id: 'rotation-1',
      name: 'Rot1',
      type: 'weekly',
      length: 2,
      startAt: createdAt,
      endAt: new Date('2027-01-01T00:00:00Z'),
      participants: [{ type: 'user', id: 'ada' }, { type: 'none' }, { type: 'team', id: 'team-1' }],
      timeRestriction: {
        type: 'time-of-day',
        restriction: { startHour: 22, startMin: 30, endHour: 6, endMin: 0 },
      },
    },
    {
      id: 'rotation-2',
      name: 'Rot2',
      type: 'hourly',
      length: 1,
      startAt: createdAt,
      endAt: undefined,
      participants: [],
      timeRestriction: undefined,
    },
    {
      id: 'rotation-3',
      name: 'Rot3',
      type: 'daily',
      length: 1,
      startAt: createdAt,
      endAt: undefined,
      participants: [{ type: 'none' }],
      timeRestriction: {
        type: 'weekday-and-time-of-day',
        restrictions: [
          { startDay: 'friday', endDay: 'monday', startHour: 18, startMin: 0, endHour: 9, endMin: 30 },
          { startDay: 'monday', endDay: 'monday', startHour: 18, startMin: 0, endHour: 23, endMin: 0 },
        ],
      },
    },
  ],
  overrides: [
    {
      alias: 'swap',
      user: { type: 'user', id: 'bob' },
      startAt: createdAt,
      endAt: new Date('2026-01-02T00:00:00Z'),
      rotationIds: ['rotation-1'],
    },
    {
      alias: 'holiday',
      user: { type: 'none' },
      startAt: createdAt,
      endAt: new Date('2026-01-02T00:00:00Z'),
      rotationIds: undefined,
    },
  ],
  createdAt,
  version: { epoch: createdAt.getTime(), n: 1 },
};

export const opsEscalation: Escalation = {
  id: 'escalation-1',
  name: 'Ops',
  description: '',
  ownerTeamId: undefined,
  rules: [
    {
      condition: 'if-not-closed',
      notifyType: 'next',
      delayMinutes: 5,
      recipient: { type: 'schedule', id: 'schedule-1' },
    },
  ],
  repeat: { waitMinutes: 10, count: 3, resetRecipientStates: true, closeAlertAfterAll: false },
  createdAt,
  version: { epoch: createdAt.getTime(), n: 1 },
};

const add = (schedule: Schedule) => (present: Configuration) => {
  if (present.schedules.named(schedule.name)) throw new ConflictError('taken');
  return { schedules: { put: [schedule] }, answer: schedule.id };
};

/** What every configuration store promises. Each adapter runs it, so the fake cannot drift from the real one. */
export function describeConfigurationStore(name: string, create: () => Promise<ConfigurationStore>): void {
  describe(`${name} as a configuration store`, () => {
    it('is empty at first', async () => {
      const { schedules, escalations } = await (await create()).current();
      expect([schedules.all(), escalations.all()]).toEqual([[], []]);
    });

    it('gives back what was written, by id and by name, absent fields included', async () => {
      const store = await create();
      await store.change(() => ({
        schedules: { put: [opsSchedule] },
        escalations: { put: [opsEscalation] },
        answer: undefined,
      }));
      const { schedules, escalations } = await store.current();
      expect(schedules.get('schedule-1')).toEqual(opsSchedule);
      expect(schedules.named('Ops')).toEqual(opsSchedule);
      expect(escalations.get('escalation-1')).toEqual(opsEscalation);
    });

    it('lists in the order of creation', async () => {
      const store = await create();
      await store.change(add({ ...opsSchedule, id: 'b', name: 'late', createdAt: new Date('2026-02-01T00:00:00Z') }));
      await store.change(add({ ...opsSchedule, id: 'a' }));
      expect((await store.current()).schedules.all().map(({ id }) => id)).toEqual(['a', 'b']);
    });

    it('replaces as a whole, and forgets what is removed', async () => {
      const store = await create();
      await store.change(add(opsSchedule));
      const version = nextVersion(opsSchedule.version);
      const renamed: Schedule = { ...opsSchedule, name: 'Renamed', ownerTeamId: undefined, rotations: [], version };
      await store.change(() => ({ schedules: { put: [renamed] }, answer: undefined }));
      expect((await store.current()).schedules.all()).toEqual([renamed]);
      await store.change(() => ({ schedules: { removed: [renamed] }, answer: undefined }));
      expect((await store.current()).schedules.all()).toEqual([]);
    });

    it('lets a name go to another thing in the step that frees it', async () => {
      const store = await create();
      await store.change(add(opsSchedule));
      const heir = { ...opsSchedule, id: 'heir' };
      await store.change(() => ({ schedules: { put: [heir], removed: [opsSchedule] }, answer: undefined }));
      expect((await store.current()).schedules.named('Ops')?.id).toBe('heir');
    });

    it('writes nothing when the decision is a refusal, and answers without writing when there is nothing to write', async () => {
      const store = await create();
      await store.change(add(opsSchedule));
      await expect(store.change(add({ ...opsSchedule, id: 'other' }))).rejects.toThrow(ConflictError);
      expect(await store.change(() => ({ answer: 42 }))).toBe(42);
      expect((await store.current()).schedules.all()).toHaveLength(1);
    });

    it('lets one of 50 writers of the same name win', async () => {
      const store = await create();
      const writers = Array.from({ length: 50 }, (_, n) => store.change(add({ ...opsSchedule, id: `id-${n}` })));
      const settled = await Promise.allSettled(writers);
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect((await store.current()).schedules.all()).toHaveLength(1);
    });

    it('decides each write on what the write before left', async () => {
      const store = await create();
      const numbered = (present: Configuration) => {
        const name = `n${present.schedules.all().length}`;
        return { schedules: { put: [{ ...opsSchedule, id: name, name }] }, answer: name };
      };
      const names = await Promise.all(Array.from({ length: 10 }, () => store.change(numbered)));
      expect(new Set(names).size).toBe(10);
    });
  });
}
