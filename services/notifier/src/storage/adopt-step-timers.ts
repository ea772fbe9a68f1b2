import { collectionOf, inTransaction, type Connection, type Session } from '@tocsin/persistence';
import { isFinal } from '../domain/delivery.ts';
import { rankOf, turnOf } from '../domain/turn.ts';
import { toDelivery, type DeliveryDocument } from './delivery-document.ts';
import { DELIVERIES } from './documents.ts';
import type { MongoTurns } from './mongo-turns.ts';

/** Where earlier releases kept a timer for each message, by its id. */
const STEP_TIMERS = 'step_timers';
const LOT = 100;

interface StepTimerDocument {
  readonly _id: string;
  readonly nextAt: Date;
  readonly leaseUntil: Date | null;
}

/** Held by no process that still runs. */
const FREE = { $or: [{ leaseUntil: null }, { $expr: { $lte: ['$leaseUntil', '$$NOW'] } }] };

/**
 * Lets the messages that earlier releases left waiting wait for their turns, so that no page is lost by an upgrade. The timer
 * of each goes in the same transaction: a process of before that still runs has lost it. Answers how many timers there were.
 */
export async function adoptStepTimers(connection: Connection, turns: Pick<MongoTurns, 'call'>): Promise<number> {
  const timers = collectionOf<StepTimerDocument>(connection, STEP_TIMERS);
  for (let adopted = 0; ;) {
    // Mostly there are none, which costs no transaction.
    const found = await timers.find(FREE, { projection: { _id: 1 }, limit: LOT }).toArray();
    if (found.length === 0) return adopted;
    const ids = found.map(({ _id }) => _id);
    adopted += await inTransaction(connection, async (session) => {
      const lot = await timers.find({ $and: [{ _id: { $in: ids } }, FREE] }, { session }).toArray();
      await adopt(connection, turns, new Map(lot.map(({ _id, nextAt }) => [_id, nextAt])), session);
      await timers.deleteMany({ _id: { $in: lot.map(({ _id }) => _id) } }, { session });
      return lot.length;
    });
  }
}

async function adopt(
  connection: Connection,
  turns: Pick<MongoTurns, 'call'>,
  dueAt: ReadonlyMap<string, Date>,
  session: Session,
): Promise<void> {
  const deliveries = collectionOf<DeliveryDocument>(connection, DELIVERIES);
  const documents = await deliveries
    .find({ _id: { $in: [...dueAt.keys()] }, turn: { $exists: false } }, { session })
    .toArray();
  const open = documents.map(toDelivery).filter((delivery) => !isFinal(delivery));
  if (open.length === 0) return;
  const waiting = open.map((delivery) => ({
    ...{ _id: delivery.deliveryId, turn: turnOf(delivery), rank: rankOf(delivery) },
    nextAt: dueAt.get(delivery.deliveryId) ?? delivery.dueAt,
  }));
  const firsts = new Map(
    waiting.toSorted((a, b) => b.nextAt.getTime() - a.nextAt.getTime()).map(({ turn, nextAt }) => [turn, nextAt]),
  );
  await turns.call(firsts, session);
  await deliveries.bulkWrite(
    waiting.map(({ _id, ...found }) => ({ updateOne: { filter: { _id }, update: { $set: found } } })),
    { session, ordered: false },
  );
}
