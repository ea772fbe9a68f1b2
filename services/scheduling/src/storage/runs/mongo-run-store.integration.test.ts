import { afterEach, expect, it } from '@jest/globals';
import { AlertCommands, Decisions, Pages, type TopicDefinition } from '@tocsin/contracts';
import { RecordingPublisher } from '@tocsin/messaging';
import { connectMongo, migrate, Outbox, persistenceIndexes, type Connection } from '@tocsin/persistence';
import { testMongo } from '@tocsin/testing';
import { runIndexes } from './documents.ts';
import { MongoRunStore } from './mongo-run-store.ts';
import { describeRetainedRuns } from './retained-runs.contract.ts';
import { batch, decide, describeRunStore, event, lookUp } from './run-store.contract.ts';

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
  await migrate(connection, [...persistenceIndexes, ...runIndexes]);
  const publisher = new RecordingPublisher();
  const outbox = new Outbox({ connection, publisher, topics: [Pages, AlertCommands, Decisions], logger: silent });
  const published = async <T>({ name, schema }: TopicDefinition<T>): Promise<readonly T[]> => {
    await outbox.flush();
    return publisher.published.filter(({ topic }) => topic === name).map(({ message }) => schema.parse(message));
  };
  const instants: (Date | undefined)[] = [];
  const written = (_: unknown, due: readonly (Date | undefined)[]): void => {
    instants.push(...due);
  };
  return {
    instants,
    store: new MongoRunStore({ connection, outbox, dueWork: { written } }),
    pages: () => published(Pages),
    commands: () => published(AlertCommands),
    decisions: () => published(Decisions),
  };
}

it('tells the due work of its process when the runs are due that it writes', async () => {
  const { instants, store } = await create();
  await store.settleEvents([batch([event(1)])], (run, of) => {
    const change = decide(run, of);
    return change?.run && { ...change, run: { ...change.run, lookUps: [lookUp] } };
  });
  expect(instants).toEqual([lookUp.dueAt]);
});

describeRunStore('MongoRunStore', create);
describeRetainedRuns('MongoRunStore', create);
