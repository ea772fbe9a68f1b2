import { afterEach, describe, expect, it } from '@jest/globals';
import { collectionOf, type Connection } from '@tocsin/persistence';
import { begun, type Delivery } from '../domain/delivery.ts';
import { deliveryOf, page } from '../testing/page-samples.ts';
import { adoptStepTimers } from './adopt-step-timers.ts';
import { DELIVERIES } from './documents.ts';
import { openMongoStores, type MongoStores } from '../testing/mongo-stores.ts';
import { MongoTurns } from './mongo-turns.ts';
import { LATER } from '../testing/stores-under-test.ts';

const opened: MongoStores[] = [];

afterEach(async () => {
  for (const { connection } of opened.splice(0)) {
    await connection.dropDatabase();
    await connection.close();
  }
});

interface Left {
  readonly delivery: Delivery;
  readonly leaseUntil?: Date;
}

/** As a release left them that gave each message a timer of its own. */
async function leave(connection: Connection, left: readonly Left[]): Promise<void> {
  for (const { delivery, leaseUntil = null } of left) {
    const { deliveryId: _id, reason = null, ...rest } = delivery;
    const document = { _id, reason, ...rest };
    const timer = { _id, nextAt: delivery.dueAt, fence: 0, payload: null, leaseUntil, token: null, attempts: 0 };
    await collectionOf<{ _id: string }>(connection, DELIVERIES).insertOne(document);
    await collectionOf<{ _id: string }>(connection, 'step_timers').insertOne(timer);
  }
}

const of = (deliveryId: string, more: Partial<Delivery> = {}): Delivery => ({
  ...deliveryOf(page({ userId: deliveryId })),
  ...(more as object),
  deliveryId,
});

describe('messages that an earlier release left waiting', () => {
  it('are sent when they are due, but for what has its result, or is held by a process of before', async () => {
    const stores = await openMongoStores();
    opened.push(stores);
    const { claim, connection, deliveries } = stores;
    const anHourFromNow = new Date(Date.now() + 3_600_000);
    const [due, cut, sent, held] = [
      of('due'),
      of('cut', { state: 'sending', attempts: 1 }),
      of('sent', { state: 'sent' }),
      of('held'),
    ];
    await leave(connection, [
      { delivery: due },
      { delivery: cut, leaseUntil: new Date(Date.now() - 60_000) },
      { delivery: sent },
      { delivery: held, leaseUntil: anHourFromNow },
    ]);
    const turns = new MongoTurns(connection, 60_000);
    expect([await adoptStepTimers(connection, turns), await adoptStepTimers(connection, turns)]).toEqual([3, 0]);
    const taken = await deliveries.begin(await claim(LATER), LATER, (each) => ({ delivery: begun(each) }));
    const begunNow = taken.map(({ delivery }) => [delivery.deliveryId, delivery.attempts]);
    expect(begunNow.toSorted()).toEqual([
      ['cut', 2],
      ['due', 1],
    ]);
    const left = await collectionOf<{ _id: string }>(connection, 'step_timers').find().toArray();
    expect(left.map(({ _id }) => _id)).toEqual(['held']);
  });
});
