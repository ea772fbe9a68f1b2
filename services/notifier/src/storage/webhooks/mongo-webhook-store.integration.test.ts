import { afterEach, expect, test } from '@jest/globals';
import { Decisions, type Decision } from '@tocsin/contracts';
import { RecordingPublisher } from '@tocsin/messaging';
import { collectionOf, connectMongo, migrate, Outbox, persistenceIndexes, type Connection } from '@tocsin/persistence';
import { testMongo } from '@tocsin/testing';
import { silent } from '../../testing/mongo-stores.ts';
import { NOW, webhookBatch, webhookCommand } from '../../testing/webhook-samples.ts';
import { MongoTurns } from '../mongo-turns.ts';
import { MongoWebhookStore } from './mongo-webhook-store.ts';
import { WEBHOOK_DELIVERIES, WEBHOOK_TURNS, webhookIndexes } from './webhook-documents.ts';
import { describeWebhookStore } from './webhook-store.contract.ts';

const opened: Connection[] = [];

afterEach(async () => {
  for (const connection of opened.splice(0)) {
    await connection.dropDatabase();
    await connection.close();
  }
});

async function open(leaseMs = 60_000) {
  const connection = await connectMongo(await testMongo());
  opened.push(connection);
  await migrate(connection, [...persistenceIndexes, ...webhookIndexes]);
  const publisher = new RecordingPublisher();
  const outbox = new Outbox({ connection, publisher, topics: [Decisions], logger: silent });
  const turns = new MongoTurns(connection, leaseMs, { collection: WEBHOOK_TURNS });
  const store = new MongoWebhookStore({ connection, outbox, turns, onWaiting: () => undefined });
  return {
    store,
    expire: async () => {
      await collectionOf(connection, WEBHOOK_TURNS).updateMany({}, { $set: { leaseUntil: null } });
    },
    decisions: async () => {
      await outbox.flush();
      return publisher.published.map(({ message }) => message as Decision);
    },
    kept: async () => JSON.stringify(await collectionOf(connection, WEBHOOK_DELIVERIES).find({}).toArray()),
  };
}

describeWebhookStore('MongoWebhookStore', open);

test('a process that was frozen for as long as it has a turn begins nothing that another may have begun', async () => {
  const { store } = await open(1);
  await store.settle([webhookBatch([webhookCommand()])], NOW);
  const [turn] = await store.claim(NOW, 1);
  if (turn === undefined) throw new Error('no turn is due');
  expect(await store.due(turn, NOW, 8)).toEqual([]);
});
