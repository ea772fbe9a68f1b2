import { afterEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/core';
import { Decisions, ShiftNotices, type Decision, type ShiftNotice, type TopicDefinition } from '@tocsin/events';
import { RecordingPublisher } from '@tocsin/kafka';
import {
  collectionOf,
  connectMongo,
  dueIndex,
  inTransaction,
  migrate,
  Outbox,
  persistenceIndexes,
  type Connection,
} from '@tocsin/mongo';
import { testMongo } from '@tocsin/testkit';
import type { TouchedSchedules } from './touched-schedules.ts';
import type { ScheduleNotices } from './operations.ts';
import { ShiftNoticeStore, PreparedNotices, SHIFT_NOTICES, type ShiftNoticesDocument } from './store.ts';

const silent = { warn: () => undefined, error: () => undefined };
const connections: Connection[] = [];

afterEach(async () => {
  await Promise.all(
    connections.splice(0).map((connection) => connection.dropDatabase().then(() => connection.close())),
  );
});

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 8, minute));

const noticeFor = (scheduleId: string): ShiftNotice => ({
  noticeId: `shift:${scheduleId}`,
  userId: 'ada',
  actionType: 'schedule-start',
  leadTime: '15-minutes-ago',
  schedule: { id: scheduleId, name: scheduleId, timezone: 'UTC' },
  rotations: ['Rot1'],
  changesAt: at(15).toISOString(),
  dueAt: at(0).toISOString(),
  at: at(0).toISOString(),
});

const decisionFor = (scheduleId: string): Decision => ({
  decisionId: `route:shift:${scheduleId}`,
  userId: 'ada',
  stage: 'route',
  at: at(0).toISOString(),
  findings: [{ subject: 'shift', outcome: 'notified', text: 'ada is notified.' }],
});

/** One notice of each schedule, each of which is due next at `nextDueAt`. */
function decided(found: readonly ShiftNoticesDocument[], nextDueAt: Date | undefined): PreparedNotices {
  const notices = found.map(({ _id: scheduleId }): ScheduleNotices => ({
    scheduleId,
    notices: [noticeFor(scheduleId)],
    decisions: [decisionFor(scheduleId)],
    nextDueAt,
  }));
  return new PreparedNotices(found, notices);
}

async function opened() {
  const { uri, database } = await testMongo();
  const connection = await connectMongo({ uri, database });
  connections.push(connection);
  await migrate(connection, [...persistenceIndexes, dueIndex(SHIFT_NOTICES)]);
  const publisher = new RecordingPublisher();
  const outbox = new Outbox({ connection, publisher, topics: [ShiftNotices, Decisions], logger: silent });
  const published = async <T>({ name, schema }: TopicDefinition<T>): Promise<readonly T[]> => {
    await outbox.flush();
    return publisher.published.filter(({ topic }) => topic === name).map(({ message }) => schema.parse(message));
  };
  const clock = new ManualClock(new Date(0));
  const written: (Date | undefined)[] = [];
  const dueWork = {
    wakeAfterCommit: (_: unknown, instants: readonly (Date | undefined)[]) => void written.push(...instants),
  };
  const store = new ShiftNoticeStore({ connection, outbox, dueWork, clock });
  const due = (now: Date) =>
    collectionOf<ShiftNoticesDocument>(connection, SHIFT_NOTICES)
      .find({ nextDueAt: { $lte: now } }, { sort: { _id: 1 } })
      .toArray();
  return {
    due,
    dueIds: async (now: Date) => (await due(now)).map(({ _id, nextDueAt }) => [_id, nextDueAt]),
    touch: async (touched: TouchedSchedules, now: Date) => {
      clock.moveTo(now);
      await inTransaction(connection, (session) => store.makeDue(touched, session));
    },
    /** As due work does: publishes `prepared` of the schedules that are due at `now`. */
    publish: async (prepared: PreparedNotices, now: Date) => {
      const found = await due(now);
      await inTransaction(connection, (session) => store.publish(session, found, prepared));
    },
    written,
    notices: async () => (await published(ShiftNotices)).map(({ noticeId }) => noticeId).toSorted(),
    decisions: async () => (await published(Decisions)).map(({ decisionId }) => decisionId),
  };
}

describe('the notices of shifts of a schedule', () => {
  it('are published, and the schedule is due again when the next ones are', async () => {
    const { decisions, due, dueIds, notices, publish, touch, written } = await opened();
    await touch({ kept: ['one', 'two'], removed: [] }, at(0));
    await publish(decided(await due(at(0)), at(20)), at(0));
    expect(await notices()).toEqual(['shift:one', 'shift:two']);
    expect(await decisions()).toHaveLength(2);
    expect(await dueIds(at(19))).toEqual([]);
    expect(await dueIds(at(20))).toEqual([
      ['one', at(20)],
      ['two', at(20)],
    ]);
    expect(written).toEqual([at(0), at(20), at(20)]);
  });

  it('are not due again, without a next one, until their schedule is changed', async () => {
    const { due, dueIds, publish, touch } = await opened();
    await touch({ kept: ['one'], removed: [] }, at(0));
    await publish(decided(await due(at(0)), undefined), at(0));
    expect(await dueIds(at(59))).toEqual([]);
    await touch({ kept: ['one'], removed: [] }, at(59));
    expect(await dueIds(at(59))).toEqual([['one', at(59)]]);
  });

  it('are due at once when their schedule is changed, and never when it is deleted', async () => {
    const { due, dueIds, publish, touch } = await opened();
    await touch({ kept: ['changed', 'deleted'], removed: [] }, at(0));
    await publish(decided(await due(at(0)), at(30)), at(0));
    await touch({ kept: ['changed'], removed: ['deleted'] }, at(10));
    expect(await dueIds(at(40))).toEqual([['changed', at(10)]]);
  });

  it('are not published as they were decided before their schedule was changed, and stay due from the same instant', async () => {
    const { due, dueIds, notices, publish, touch } = await opened();
    await touch({ kept: ['changed', 'same'], removed: [] }, at(0));
    const prepared = decided(await due(at(1)), at(30));
    await touch({ kept: ['changed'], removed: [] }, at(1));
    await publish(prepared, at(1));
    expect(await dueIds(at(1))).toEqual([['changed', at(0)]]);
    expect(await notices()).toEqual(['shift:same']);
  });

  it('are not published again where another process has published them, and the next ones are due already', async () => {
    const { due, dueIds, notices, publish, touch } = await opened();
    await touch({ kept: ['one'], removed: [] }, at(0));
    const found = await due(at(2));
    await publish(decided(found, at(1)), at(2));
    await publish(decided(found, at(30)), at(2));
    expect(await dueIds(at(2))).toEqual([['one', at(1)]]);
    expect(await notices()).toEqual(['shift:one']);
  });
});
