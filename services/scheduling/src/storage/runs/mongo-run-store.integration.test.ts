import { afterEach } from '@jest/globals';
import { AlertCommands, Decisions, Pages, type TopicDefinition } from '@tocsin/contracts';
import { RecordingPublisher } from '@tocsin/messaging';
import { connectMongo, migrate, Outbox, persistenceIndexes, type Connection } from '@tocsin/persistence';
import { claimedTimers, testMongo, type Steering } from '@tocsin/testing';
import { timerIndexes, Timers } from '@tocsin/timers';
import { RULE_TIMERS, runIndexes } from './documents.ts';
import { MongoRunStore, type RuleDue } from './mongo-run-store.ts';
import { describeRetainedRuns } from './retained-runs.contract.ts';
import { describeRunStore } from './run-store.contract.ts';

const silent = { warn: () => undefined, error: () => undefined };
const connections: Connection[] = [];

afterEach(async () => {
  await Promise.all(
    connections.splice(0).map((connection) => connection.dropDatabase().then(() => connection.close())),
  );
});

async function create() {
  const { uri, database } = await testMongo();
  const connection = await connectMongo({ uri, database });
  connections.push(connection);
  await migrate(connection, [...persistenceIndexes, ...runIndexes, ...timerIndexes(RULE_TIMERS)]);
  const publisher = new RecordingPublisher();
  const outbox = new Outbox({ connection, publisher, topics: [Pages, AlertCommands, Decisions], logger: silent });
  const published = async <T>({ name, schema }: TopicDefinition<T>): Promise<readonly T[]> => {
    await outbox.flush();
    return publisher.published.filter(({ topic }) => topic === name).map(({ message }) => schema.parse(message));
  };
  const { timers, claim } = claimedTimers(
    (steering: Steering<RuleDue>) =>
      new Timers<RuleDue['payload']>({ connection, collection: RULE_TIMERS, logger: silent, ...steering }),
  );
  return {
    store: new MongoRunStore({ connection, outbox, timers }),
    claim,
    pages: () => published(Pages),
    commands: () => published(AlertCommands),
    decisions: () => published(Decisions),
  };
}

describeRunStore('MongoRunStore', create);
describeRetainedRuns('MongoRunStore', create);
