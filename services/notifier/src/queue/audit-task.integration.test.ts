import { beforeEach, describe, expect, it } from '@jest/globals';
import { Pages } from '@tocsin/events';
import { collectionOf } from '@tocsin/mongo';
import { beginAttempt, applyResult } from '../messages/attempts.ts';
import { DELIVERIES, RECIPIENT_QUEUES } from '../messages/delivery-document.ts';
import { RecipientQueues } from './recipient-queue-store.ts';
import { oldestOfEach, UndeliveredMessages } from './undelivered-store.ts';
import { useStores } from '../testing/mongo-fixture.ts';
import type { MongoStores } from '../testing/mongo-stores.ts';
import { deliveryOf, page } from '../testing/page-samples.ts';
import { batch, expanded, NO_SLOTS } from '../testing/store-samples.ts';
import { pageAudit } from './audit-task.ts';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const TURN = 'email:ada';

const open = useStores();
let stores: MongoStores;

beforeEach(async () => {
  stores = await open();
  await stores.settlePages([batch(Pages.name, [page()])], (each) => expanded(deliveryOf(each)), NO_SLOTS);
});

const queues = () => collectionOf<{ readonly _id: string }>(stores.connection, RECIPIENT_QUEUES);
const undelivered = () => new UndeliveredMessages(stores.connection, new RecipientQueues(stores.connection, 5_000));
const audit = () => pageAudit(undelivered());
const stuck = { id: TURN, count: 1 };

/** Sends the messages that are due, as the service does. */
async function handOver(now: Date): Promise<number> {
  const { deliveries } = stores;
  const { begun } = await deliveries.begin(await stores.claim(now), now, (delivery) => ({
    delivery: beginAttempt(delivery),
  }));
  const messageResults = begun.map(({ delivery, queue }) => ({
    ...applyResult(delivery, { kind: 'accepted', response: 'ok' }, now, 0),
    queue,
  }));
  return (await deliveries.recordResults(messageResults, now)).recorded.length;
}

describe('the audit of messages', () => {
  it('finds no message that is not due for half a minute, is under way, or has ended', async () => {
    expect(await audit().look(at(29))).toEqual([]);
    const held = await stores.claim(at(1));
    expect(await audit().look(at(60))).toEqual([]);
    await stores.deliveries.release(held);
    expect(await handOver(at(1))).toBe(1);
    expect(await audit().look(at(60))).toEqual([]);
  });

  it('schedules a queue again whose row is lost, and its message is sent', async () => {
    await queues().deleteMany({});
    expect(await handOver(at(20))).toBe(0);
    expect(await audit().look(at(30))).toMatchObject([stuck]);
    await audit().redrive?.([TURN], at(30));
    expect(await handOver(at(30))).toBe(1);
    expect(await audit().look(at(90))).toEqual([]);
  });

  it.each([
    ['waits for nothing', null],
    ['waits for much later', at(3_600)],
  ])('calls the queue again that %s', async (_, nextAt) => {
    await queues().updateMany({}, { $set: { nextAt } });
    expect(await audit().look(at(30))).toMatchObject([stuck]);
    await audit().redrive?.([TURN], at(30));
    expect(await handOver(at(30))).toBe(1);
  });

  it('finds a queue that no process claims, and one whose process has ended', async () => {
    expect(await audit().look(at(30))).toMatchObject([stuck]);
    await stores.claim(at(1));
    await queues().updateMany({}, { $set: { leaseUntil: new Date(1_000) } });
    expect(await audit().look(at(30))).toMatchObject([stuck]);
  });

  it('does not change a queue that will be claimed soon: users wait in a storm, and none is forgotten', async () => {
    await queues().updateMany({}, { $set: { nextAt: at(25) } });
    expect(await audit().look(at(40))).toEqual([]);
  });

  it('does not change a queue whose pages are held to be bundled, until their minute is over (U8)', async () => {
    await queues().updateMany({}, { $set: { nextAt: at(59), heldUntil: at(59) } });
    expect(await audit().look(at(50))).toEqual([]);
    expect(await audit().look(at(80))).toEqual([]);
    expect(await audit().look(at(89))).toMatchObject([stuck]);
  });

  it('finds forgotten users behind a storm for another user, and reads one key of an index for each of them', async () => {
    const storm = Array.from({ length: 6_000 }, (_, n) => ({ _id: `storm${n}`, queue: 'email:aaron', nextAt: at(0) }));
    await collectionOf<{ readonly _id: string }>(stores.connection, DELIVERIES).insertMany(storm);
    await queues().insertOne({ _id: 'email:aaron', nextAt: at(25) } as { readonly _id: string });
    expect(await audit().look(at(30))).toMatchObject([stuck]);
    const explained = await collectionOf(stores.connection, DELIVERIES)
      .aggregate(oldestOfEach(at(30)), { hint: { queue: 1, nextAt: 1 } })
      .explain('executionStats');
    expect(JSON.stringify(explained)).toContain('"totalKeysExamined":2,');
  });

  it('counts the outcomes of messages', async () => {
    const none = { waiting: 0, sent: 0, delivered: 0, failed: 0, dropped: 0, heldBack: 0 };
    expect(await undelivered().counts(at(0))).toEqual({ ...none, waiting: 1 });
    await handOver(at(1));
    expect(await undelivered().counts(at(0))).toEqual({ ...none, sent: 1 });
    expect(await undelivered().counts(at(2))).toEqual(none);
  });
});
