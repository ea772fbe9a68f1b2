import { describe, expect, it } from '@jest/globals';
import { Escalations, nextVersion, Schedules } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import { connectMongo, migrate, persistenceIndexes, statesOf } from '@tocsin/persistence';
import { eventually, startMongo } from '@tocsin/testing';
import type { ForwardingRule } from '../domain/forwarding.ts';
import { forwardingOf } from '../testing/on-call-samples.ts';
import { escalationMessage, scheduleMessage } from '../domain/states.ts';
import { describeConfigurationStore, opsEscalation, opsSchedule } from './configuration-store.contract.ts';
import { describeForwardingRules } from './forwarding-rules.contract.ts';
import { configurationIndexes, SCHEDULES } from './configuration-kinds.ts';
import { replicaOn, useDatabase } from '../testing/mongo-fixture.ts';

const openDatabase = useDatabase();

describeConfigurationStore('MongoConfigurationStore', async () => replicaOn(await openDatabase()).store);

describeForwardingRules('MongoConfigurationStore', async () => replicaOn(await openDatabase()).store);

describe('MongoConfigurationStore', () => {
  it('sees at once what another replica wrote', async () => {
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

  it('announces what was written before it answers, and what was deleted under a later version', async () => {
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

  it('keeps what cannot be announced, and announces it later', async () => {
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

  it('reads what is strictly equal to what was written, so that a repeat of it is seen as one', async () => {
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

  it('says that it is away while MongoDB is, and goes on by itself', async () => {
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
