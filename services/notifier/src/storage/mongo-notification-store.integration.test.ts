import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Decisions, type Decision } from '@tocsin/contracts';
import { RecordingPublisher } from '@tocsin/messaging';
import { collectionOf, connectMongo, migrate, Outbox, persistenceIndexes, type Connection } from '@tocsin/persistence';
import { testMongo } from '@tocsin/testing';
import { timerIndexes, Timers, type DueTimer } from '@tocsin/timers';
import { begun } from '../domain/delivery.ts';
import { deliveryOf, page } from '../domain/page.samples.ts';
import { DELIVERIES, notifierIndexes, STEP_TIMERS } from './documents.ts';
import { MongoNotificationStore } from './mongo-notification-store.ts';
import { describeNotificationStore } from './notification-store.contract.ts';

const silent = { warn: () => undefined, error: () => undefined };
const connections: Connection[] = [];

async function open() {
  const { uri, database } = await testMongo();
  const connection = await connectMongo({ uri, database });
  connections.push(connection);
  await migrate(connection, [...persistenceIndexes, ...notifierIndexes, ...timerIndexes(STEP_TIMERS)]);
  const publisher = new RecordingPublisher();
  const outbox = new Outbox({ connection, publisher, topics: [Decisions], logger: silent });
  let now = new Date(0);
  const claimed: DueTimer<null>[] = [];
  const timers = new Timers<null>({
    connection,
    collection: STEP_TIMERS,
    clock: { now: () => now, whenMoved: () => () => undefined },
    fire: (due) => Promise.resolve(void claimed.push(...due)),
    logger: silent,
    pollMs: 10,
  });
  const store = new MongoNotificationStore({ connection, outbox, timers });
  const claim = async (at: Date) => {
    now = at;
    claimed.length = 0;
    timers.start();
    while ((await timers.due()) > claimed.length) await pause(5);
    await timers.stop();
    return [...claimed];
  };
  const decisions = async () => {
    await outbox.flush();
    return publisher.published.map(({ message }) => message as Decision);
  };
  return { connection, store, claim, decisions };
}

afterEach(async () => {
  await Promise.all(
    connections.splice(0).map((connection) => connection.dropDatabase().then(() => connection.close())),
  );
});

describeNotificationStore('MongoNotificationStore', open);

describe('a notifier that dies between the hand-over and its result', () => {
  let parts: Awaited<ReturnType<typeof open>>;

  beforeAll(async () => {
    parts = await open();
  });

  it('leaves the delivery begun, so that whoever claims it next knows that it may have been sent', async () => {
    const { claim, connection, store } = parts;
    const delivery = deliveryOf(page());
    const records = [{ offset: 0, key: 'ada', timestampMs: 1, value: delivery.page }];
    await store.settlePages({ topic: 'pages.v1', partition: 0, clusterId: 'c1', records }, () => ({
      deliveries: [delivery],
      decision: { decisionId: 'd', alertId: 'a1', stage: 'page', at: delivery.page.pagedAt, verdicts: [] },
    }));
    const claims = await claim(delivery.dueAt);
    await store.begin(claims, (each) => ({ delivery: begun(each) }));
    const stored = await collectionOf(connection, DELIVERIES).findOne({});
    expect(stored).toMatchObject({ state: 'sending', attempts: 1, interruptions: 0 });
    const [again] = await store.begin(claims, (each) => ({ delivery: begun(each) }));
    expect(again).toMatchObject({ state: 'sending', attempts: 2, interruptions: 1 });
  });
});
