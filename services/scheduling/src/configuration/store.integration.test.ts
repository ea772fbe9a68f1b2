import { describe, expect, it } from '@jest/globals';
import { Escalations, nextVersion, Schedules, type Version } from '@tocsin/events';
import { ConflictError, UnavailableError } from '@tocsin/core';
import { connectMongo, migrate, persistenceIndexes, statesOf } from '@tocsin/mongo';
import { eventually, startMongo } from '@tocsin/testkit';
import { type Escalation, escalationMessage } from '../escalations/escalation.ts';
import type { ForwardingRule } from '../forwarding/forwarding.ts';
import { type Schedule, scheduleMessage } from '../schedules/schedule.ts';
import { replicaOn, useDatabase } from '../testing/mongo-fixture.ts';
import { forwardingOf } from '../testing/on-call-samples.ts';
import type { Configuration } from './configuration.ts';
import { configurationIndexes, type ConfigurationStore, SCHEDULES } from './store.ts';

const openDatabase = useDatabase();

const create = async (): Promise<ConfigurationStore> => replicaOn(await openDatabase()).store;

const createdAt = new Date('2026-01-01T00:00:00Z');

const opsSchedule: Schedule = {
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

const opsEscalation: Escalation = {
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

const during = Date.parse('2026-06-01T00:00:00Z');
const named = forwardingOf('ada', 'bob', { id: 'named', alias: 'Holiday' });
const unnamed = forwardingOf('ada', 'eve', { id: 'unnamed', createdAt: new Date('2026-01-01T00:00:00.001Z') });

const putRules = (store: ConfigurationStore, ...rules: readonly ForwardingRule[]) =>
  store.change(() => ({ forwardingRules: { put: rules }, answer: undefined }));
const holder = async (store: ConfigurationStore) =>
  (await store.current()).forwardings.at('ada', during, () => true).userId;

describe('the store of the configuration', () => {
  it('is empty at first', async () => {
    const { schedules, escalations } = await (await create()).current();
    expect([schedules.all(), escalations.all()]).toEqual([[], []]);
  });

  it('gives back the written value, by id and by name, absent fields included', async () => {
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

  it('replaces as a whole, and does not find removed ones', async () => {
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
    const successor = { ...opsSchedule, id: 'successor' };
    await store.change(() => ({ schedules: { put: [successor], removed: [opsSchedule] }, answer: undefined }));
    expect((await store.current()).schedules.named('Ops')?.id).toBe('successor');
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

  it('sees the writes of another replica at once', async () => {
    const connection = await openDatabase();
    const [one, two] = [replicaOn(connection).store, replicaOn(connection).store];
    await two.current();
    await one.change(() => ({ schedules: { put: [opsSchedule] }, answer: undefined }));
    expect((await two.current()).schedules.get('schedule-1')).toStrictEqual(opsSchedule);
  });

  it('lets one of many writers of a name win, whichever replica they ask', async () => {
    const connection = await openDatabase();
    const replicas = [replicaOn(connection).store, replicaOn(connection).store] as const;
    const writers = Array.from({ length: 20 }, (_, n) =>
      replicas[n % 2 === 0 ? 0 : 1].change(({ schedules }) => {
        if (schedules.named('Ops')) throw new Error('taken');
        return { schedules: { put: [{ ...opsSchedule, id: `id-${n}` }] }, answer: n };
      }),
    );
    const settled = await Promise.allSettled(writers);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('publishes a write before it answers, and a deletion with a later version', async () => {
    const { store, publisher } = replicaOn(await openDatabase());
    await store.change(() => ({
      schedules: { put: [opsSchedule] },
      escalations: { put: [opsEscalation] },
      answer: undefined,
    }));
    await store.change(() => ({ schedules: { removed: [opsSchedule] }, answer: undefined }));
    const deleted = { id: 'schedule-1', version: nextVersion(opsSchedule.version), deleted: true };
    // The two topics are written side by side: only the order within one is promised.
    const announced = ({ name, schema }: typeof Schedules | typeof Escalations) =>
      publisher.published.filter(({ topic }) => topic === name).map(({ message }) => schema.parse(message));
    expect(announced(Schedules)).toEqual([scheduleMessage(opsSchedule), deleted]);
    expect(announced(Escalations)).toEqual([escalationMessage(opsEscalation)]);
  });

  it('creates entities again with the ids of deleted ones under versions after those of the deletions', async () => {
    const connection = await openDatabase();
    const { store, publisher } = replicaOn(connection);
    const things = (version: Version) => ({
      schedules: [{ ...opsSchedule, version }],
      escalations: [{ ...opsEscalation, version }],
    });
    const write = (method: 'put' | 'removed', version: Version) => {
      const { schedules, escalations } = things(version);
      return store.change(() => ({
        schedules: { [method]: schedules },
        escalations: { [method]: escalations },
        answer: undefined,
      }));
    };
    // All of it at one instant, as by a clock that runs behind.
    const first = opsSchedule.version;
    const nth = (n: number): Version => ({ ...first, n });
    for (const version of [first, nth(2)]) await write('put', version);
    await write('removed', nth(2));
    await write('put', first);
    const expected = [1, 2, 3, 4].map((n) => ({ version: nth(n), deleted: n === 3 }));
    const announced = ({ name, schema }: typeof Schedules | typeof Escalations) =>
      publisher.published.filter(({ topic }) => topic === name).map(({ message }) => schema.parse(message));
    expect(announced(Schedules)).toMatchObject(expected);
    expect(announced(Escalations)).toMatchObject(expected);
    for (const replica of [store, replicaOn(connection).store]) {
      const { schedules, escalations } = await replica.current();
      expect([...schedules.all(), ...escalations.all()].map(({ version }) => version)).toEqual([nth(4), nth(4)]);
    }
  });

  it('makes a schedule due with each change that may alter its final timeline, and removes that with the schedule', async () => {
    const { store, shiftWork } = replicaOn(await openDatabase());
    await store.change(() => ({ escalations: { put: [opsEscalation] }, answer: undefined }));
    expect(await shiftWork.countDue()).toBe(0);
    await store.change(() => ({ schedules: { put: [opsSchedule] }, answer: undefined }));
    expect(await shiftWork.countDue()).toBe(1);
    const refused = store.change(() => ({
      schedules: { put: [{ ...opsSchedule, id: 'schedule-2' }] },
      answer: undefined,
    }));
    await expect(refused).rejects.toThrow();
    expect(await shiftWork.countDue()).toBe(1);
    await store.change(() => ({ schedules: { removed: [opsSchedule] }, answer: undefined }));
    expect(await shiftWork.countDue()).toBe(0);
  });

  it('keeps a state that cannot be published, and publishes it later', async () => {
    const { store, publisher, outbox } = replicaOn(await openDatabase());
    publisher.refuseWith(new UnavailableError('Kafka does not answer.'));
    await store.change(() => ({ schedules: { put: [opsSchedule] }, answer: undefined }));
    expect(await outbox.pending()).toBe(1);
    publisher.refuseWith(undefined);
    await outbox.flush();
    expect(await outbox.pending()).toBe(0);
    expect(publisher.published).toHaveLength(1);
  });

  it('writes all or nothing', async () => {
    const connection = await openDatabase();
    const { store } = replicaOn(connection);
    const clashing = [opsEscalation, { ...opsEscalation, id: 'escalation-2' }];
    await expect(
      store.change(() => ({ schedules: { put: [opsSchedule] }, escalations: { put: clashing }, answer: undefined })),
    ).rejects.toThrow('E11000');
    expect((await replicaOn(connection).store.current()).schedules.all()).toEqual([]);
  });

  it('reads a value that is strictly equal to the written one, so that a repeat is recognised', async () => {
    const connection = await openDatabase();
    const rule = forwardingOf('ada', 'bob');
    await replicaOn(connection).store.change(() => ({
      schedules: { put: [opsSchedule] },
      forwardingRules: { put: [rule] },
      answer: undefined,
    }));
    const { schedules, forwardingRules } = await replicaOn(connection).store.current();
    expect(schedules.get(opsSchedule.id)).toStrictEqual(opsSchedule);
    expect(forwardingRules.all()).toStrictEqual([rule]);
  });

  it('accepts one forwarding rule per alias, whichever replica writes it, and any number without an alias', async () => {
    const { store } = replicaOn(await openDatabase());
    const put = (...rules: readonly ForwardingRule[]) =>
      store.change(() => ({ forwardingRules: { put: rules }, answer: undefined }));
    const ruleOf = (id: string, alias: string | undefined) => forwardingOf('ada', 'bob', { id, alias });
    await put(ruleOf('1', undefined), ruleOf('2', undefined), ruleOf('3', 'away'));
    await expect(put(ruleOf('4', 'away'))).rejects.toThrow('E11000');
    expect((await store.current()).forwardingRules.all()).toHaveLength(3);
  });

  it('lists every id for the hourly publication', async () => {
    const connection = await openDatabase();
    const { store } = replicaOn(connection);
    await store.change(() => ({ schedules: { put: [opsSchedule] }, answer: undefined }));
    const ids: string[] = [];
    for await (const id of statesOf(connection, SCHEDULES).ids()) ids.push(id);
    expect(ids).toEqual(['schedule-1']);
  });

  it('says that it is unavailable while MongoDB is, and goes on by itself', async () => {
    const mongo = await startMongo();
    const connection = await connectMongo({ uri: mongo.uri, database: 'scheduling' });
    try {
      await migrate(connection, [...persistenceIndexes, ...configurationIndexes]);
      const { store } = replicaOn(connection);
      await store.change(() => ({ schedules: { put: [opsSchedule] }, answer: undefined }));
      await mongo.kill();
      const remove = () => store.change(() => ({ schedules: { removed: [opsSchedule] }, answer: undefined }));
      await expect(store.current()).rejects.toThrow(UnavailableError);
      await expect(remove()).rejects.toThrow(UnavailableError);
      await mongo.restart();
      await eventually(remove);
      expect((await store.current()).schedules.all()).toEqual([]);
    } finally {
      await connection.close();
      await mongo.stop();
    }
  });
});

describe('the store of forwarding rules', () => {
  it('gives back the written value, by id and by alias, an absent alias included', async () => {
    const store = await create();
    expect((await store.current()).forwardingRules.all()).toEqual([]);
    await putRules(store, unnamed, named);
    const { forwardingRules } = await store.current();
    expect(forwardingRules.all()).toEqual([named, unnamed]);
    expect([forwardingRules.get('unnamed'), forwardingRules.named('Holiday')]).toEqual([unnamed, named]);
  });

  it('forwards by the rules as they were written last, the one created last winning', async () => {
    const store = await create();
    await putRules(store, named);
    expect(await holder(store)).toBe('bob');
    await putRules(store, unnamed);
    expect(await holder(store)).toBe('eve');
    await putRules(store, { ...unnamed, fromUserId: 'joe', version: nextVersion(unnamed.version) });
    expect(await holder(store)).toBe('bob');
    await store.change(() => ({ forwardingRules: { removed: [named] }, answer: undefined }));
    expect(await holder(store)).toBe('ada');
  });

  it('lets an alias go to another rule in the step that frees it', async () => {
    const store = await create();
    await putRules(store, named);
    const successor = { ...named, id: 'successor' };
    await store.change(() => ({ forwardingRules: { put: [successor], removed: [named] }, answer: undefined }));
    expect((await store.current()).forwardingRules.named('Holiday')?.id).toBe('successor');
  });
});
