import { setTimeout as pause } from 'node:timers/promises';
import { afterEach } from '@jest/globals';
import { AlertCommands, Decisions, Pages, type TopicDefinition } from '@tocsin/contracts';
import { RecordingPublisher } from '@tocsin/messaging';
import { connectMongo, migrate, Outbox, persistenceIndexes, type Connection } from '@tocsin/persistence';
import { testMongo } from '@tocsin/testing';
import { timerIndexes, Timers } from '@tocsin/timers';
import { RULE_TIMERS, runIndexes } from './documents.ts';
import { MongoRunStore, type RuleDue } from './mongo-run-store.ts';
import { describeRunStore } from './run-store.contract.ts';

const silent = { warn: () => undefined, error: () => undefined };
const connections: Connection[] = [];

afterEach(async () => {
  await Promise.all(
    connections.splice(0).map((connection) => connection.dropDatabase().then(() => connection.close())),
  );
});

describeRunStore('MongoRunStore', async () => {
  const { uri, database } = await testMongo();
  const connection = await connectMongo({ uri, database });
  connections.push(connection);
  await migrate(connection, [...persistenceIndexes, ...runIndexes, ...timerIndexes(RULE_TIMERS)]);
  const publisher = new RecordingPublisher();
  const outbox = new Outbox({ connection, publisher, topics: [Pages, AlertCommands, Decisions], logger: silent });
  let now = new Date(0);
  const published = async <T>({ name, schema }: TopicDefinition<T>): Promise<readonly T[]> => {
    await outbox.flush();
    return publisher.published.filter(({ topic }) => topic === name).map(({ message }) => schema.parse(message));
  };
  const claimed: RuleDue[] = [];
  const timers = new Timers<RuleDue['payload']>({
    connection,
    collection: RULE_TIMERS,
    clock: { now: () => now, whenMoved: () => () => undefined },
    fire: (due) => Promise.resolve(void claimed.push(...due)),
    logger: silent,
    pollMs: 10,
  });
  return {
    store: new MongoRunStore({ connection, outbox, timers }),
    claim: async (at) => {
      now = at;
      claimed.length = 0;
      timers.start();
      while ((await timers.due()) > claimed.length) await pause(5);
      await timers.stop();
      return [...claimed];
    },
    pages: () => published(Pages),
    commands: () => published(AlertCommands),
  };
});
