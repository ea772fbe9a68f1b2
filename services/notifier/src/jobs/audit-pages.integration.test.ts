import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Pages } from '@tocsin/contracts';
import { collectionOf } from '@tocsin/persistence';
import { begun, concluded } from '../domain/attempts.ts';
import { DELIVERIES, TURNS } from '../storage/documents.ts';
import { MongoTurns } from '../storage/mongo-turns.ts';
import { MongoUndelivered, oldestOfEach } from '../storage/mongo-undelivered.ts';
import { openMongoStores, type MongoStores } from '../testing/mongo-stores.ts';
import { deliveryOf, page } from '../testing/page-samples.ts';
import { batch, expanded, NO_SLOTS } from '../testing/stores-under-test.ts';
import { pageAudit } from './audit-pages.ts';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const TURN = 'email:ada';

let stores: MongoStores;

beforeEach(async () => {
  stores = await openMongoStores();
  await stores.flows.settlePages([batch(Pages.name, [page()])], (each) => expanded(deliveryOf(each)), NO_SLOTS);
});

afterEach(async () => {
  await stores.connection.dropDatabase();
  await stores.connection.close();
});

const turns = () => collectionOf<{ readonly _id: string }>(stores.connection, TURNS);
const undelivered = () => new MongoUndelivered(stores.connection, new MongoTurns(stores.connection, 5_000));
const audit = () => pageAudit(undelivered());
const stuck = { id: TURN, count: 1 };

/** Hands over what is due, as the service does. */
async function handOver(now: Date): Promise<number> {
  const { deliveries } = stores;
  const taken = await deliveries.begin(await stores.claim(now), now, (delivery) => ({ delivery: begun(delivery) }));
  const conclusions = taken.map(({ delivery, turn }) => ({
    ...concluded(delivery, { kind: 'accepted', response: 'ok' }, now, 0),
    turn,
  }));
  return (await deliveries.conclude(conclusions, now)).taken.length;
}

describe('the audit of messages', () => {
  it('finds nothing of what is not due for half a minute, is under way, or came to its end', async () => {
    expect(await audit().look(at(29))).toEqual([]);
    const held = await stores.claim(at(1));
    expect(await audit().look(at(60))).toEqual([]);
    await stores.deliveries.release(held);
    expect(await handOver(at(1))).toBe(1);
    expect(await audit().look(at(60))).toEqual([]);
  });

  it('calls the turn again whose row is lost, and the message is handed over', async () => {
    await turns().deleteMany({});
    expect(await handOver(at(20))).toBe(0);
    expect(await audit().look(at(30))).toMatchObject([stuck]);
    await audit().redrive?.([TURN], at(30));
    expect(await handOver(at(30))).toBe(1);
    expect(await audit().look(at(90))).toEqual([]);
  });

  it.each([
    ['waits for nothing', null],
    ['waits for much later', at(3_600)],
  ])('calls the turn again that %s', async (_, nextAt) => {
    await turns().updateMany({}, { $set: { nextAt } });
    expect(await audit().look(at(30))).toMatchObject([stuck]);
    await audit().redrive?.([TURN], at(30));
    expect(await handOver(at(30))).toBe(1);
  });

  it('finds a turn for which nobody comes, and one whose holder is gone', async () => {
    expect(await audit().look(at(30))).toMatchObject([stuck]);
    await stores.claim(at(1));
    await turns().updateMany({}, { $set: { leaseUntil: new Date(1_000) } });
    expect(await audit().look(at(30))).toMatchObject([stuck]);
  });

  it('leaves a turn alone that is about to be taken: a storm lets people wait, and nobody is forgotten', async () => {
    await turns().updateMany({}, { $set: { nextAt: at(25) } });
    expect(await audit().look(at(40))).toEqual([]);
  });

  it('leaves a turn alone whose pages are held to be bundled, until their minute is over (U8)', async () => {
    await turns().updateMany({}, { $set: { nextAt: at(59), heldUntil: at(59) } });
    expect(await audit().look(at(50))).toEqual([]);
    expect(await audit().look(at(80))).toEqual([]);
    expect(await audit().look(at(89))).toMatchObject([stuck]);
  });

  it('finds who is forgotten behind a storm for somebody else, and reads one key of an index for each of them', async () => {
    const storm = Array.from({ length: 6_000 }, (_, n) => ({ _id: `storm${n}`, turn: 'email:aaron', nextAt: at(0) }));
    await collectionOf<{ readonly _id: string }>(stores.connection, DELIVERIES).insertMany(storm);
    await turns().insertOne({ _id: 'email:aaron', nextAt: at(25) } as { readonly _id: string });
    expect(await audit().look(at(30))).toMatchObject([stuck]);
    const explained = await collectionOf(stores.connection, DELIVERIES)
      .aggregate(oldestOfEach(at(30)), { hint: { turn: 1, nextAt: 1 } })
      .explain('executionStats');
    expect(JSON.stringify(explained)).toContain('"totalKeysExamined":2,');
  });

  it('counts what became of messages', async () => {
    const none = { waiting: 0, sent: 0, delivered: 0, failed: 0, dropped: 0 };
    expect(await undelivered().counts(at(0))).toEqual({ ...none, waiting: 1 });
    await handOver(at(1));
    expect(await undelivered().counts(at(0))).toEqual({ ...none, sent: 1 });
    expect(await undelivered().counts(at(2))).toEqual(none);
  });
});
