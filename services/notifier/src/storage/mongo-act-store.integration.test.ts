import { afterEach, describe, expect, it } from '@jest/globals';
import { AlertCommands, Decisions } from '@tocsin/contracts';
import { RecordingPublisher } from '@tocsin/messaging';
import { collectionOf, Outbox } from '@tocsin/persistence';
import { eventually } from '@tocsin/testing';
import { act } from '../testing/act-samples.ts';
import { openMongoStores, silent, type MongoStores } from '../testing/mongo-stores.ts';
import { describeActStore } from './act-store.contract.ts';
import { ACTS } from './documents.ts';
import { MongoRetainedRows } from './mongo-retained-rows.ts';

const opened: MongoStores[] = [];
const AT = new Date('2026-01-01T00:05:00Z');

async function open(): Promise<MongoStores> {
  const stores = await openMongoStores();
  opened.push(stores);
  return stores;
}

afterEach(async () => {
  for (const { connection } of opened.splice(0)) {
    await connection.dropDatabase();
    await connection.close();
  }
});

describeActStore('The store in MongoDB', async () => {
  const { acts, decisions, published } = await open();
  return { acts, decisions, commands: () => published(AlertCommands) };
});

describe('a notifier that dies after it has written an answer and before anything of it is published', () => {
  it('leaves the order to whoever runs next, and takes the answer no second time', async () => {
    const { acts, connection, publisher } = await open();
    publisher.refuseWith(new Error('the process is gone'));
    await acts.take(act(), AT);
    const next = new RecordingPublisher();
    const topics = [Decisions, AlertCommands];
    const outbox = new Outbox({
      connection,
      publisher: next,
      topics,
      logger: silent,
    });
    outbox.start();
    await eventually(() => {
      expect(next.published.map(({ topic }) => topic).toSorted()).toEqual(topics.map(({ name }) => name).toSorted());
    });
    expect(await acts.take(act(), AT)).toBe(false);
    await outbox.stop();
    expect(await outbox.pending()).toBe(0);
    expect(next.published).toHaveLength(2);
  });
});

describe('answers that were taken', () => {
  it('go once they are old', async () => {
    const { acts, connection } = await open();
    await acts.take(act(), AT);
    await acts.take(act({ requestId: 'young' }), new Date(AT.getTime() + 1));
    await new MongoRetainedRows(connection).remove('acts', AT);
    expect((await collectionOf(connection, ACTS).find({}).toArray()).map(({ _id }) => String(_id))).toEqual(['young']);
  });
});
