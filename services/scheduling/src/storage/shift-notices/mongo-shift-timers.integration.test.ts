import { afterEach } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import { Decisions, ShiftNotices, type TopicDefinition } from '@tocsin/contracts';
import { RecordingPublisher } from '@tocsin/messaging';
import { connectMongo, inTransaction, migrate, Outbox, persistenceIndexes, type Connection } from '@tocsin/persistence';
import { claimedTimers, testMongo, type Steering } from '@tocsin/testing';
import { timerIndexes, Timers } from '@tocsin/timers';
import { MongoShiftTimers, SHIFT_TIMERS, type ShiftDue } from './mongo-shift-timers.ts';
import { describeShiftTimers } from './shift-timers.contract.ts';

const silent = { warn: () => undefined, error: () => undefined };
const connections: Connection[] = [];

afterEach(async () => {
  await Promise.all(
    connections.splice(0).map((connection) => connection.dropDatabase().then(() => connection.close())),
  );
});

describeShiftTimers('MongoShiftTimers', async () => {
  const { uri, database } = await testMongo();
  const connection = await connectMongo({ uri, database });
  connections.push(connection);
  await migrate(connection, [...persistenceIndexes, ...timerIndexes(SHIFT_TIMERS)]);
  const publisher = new RecordingPublisher();
  const outbox = new Outbox({ connection, publisher, topics: [ShiftNotices, Decisions], logger: silent });
  const published = async <T>({ name, schema }: TopicDefinition<T>): Promise<readonly T[]> => {
    await outbox.flush();
    return publisher.published.filter(({ topic }) => topic === name).map(({ message }) => schema.parse(message));
  };
  const { timers: rows, claim } = claimedTimers(
    (steering: Steering<ShiftDue>) =>
      new Timers<ShiftDue['payload']>({ connection, collection: SHIFT_TIMERS, logger: silent, ...steering }),
  );
  const clock = new ManualClock(new Date(0));
  const timers = new MongoShiftTimers({ connection, outbox, timers: rows, clock });
  return {
    timers,
    touch: async (touched, now) => {
      clock.moveTo(now);
      await inTransaction(connection, (session) => timers.touched(touched, session));
    },
    claim,
    notices: () => published(ShiftNotices),
    decisions: () => published(Decisions),
  };
});
