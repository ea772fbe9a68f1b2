import { collectionOf, inTransaction, type Connection } from '@tocsin/persistence';
import type { mongo } from 'mongoose';
import type { DeliveryCounts, StuckTurn, Undelivered } from '../ports/undelivered.ts';
import type { DeliveryDocument } from './delivery-document.ts';
import { BY_TURN_AND_TIME, DELIVERIES, TURNS } from './documents.ts';
import type { MongoTurns } from './mongo-turns.ts';

/** Turns of one look, and messages that it counts. */
const MOST = 5_000;
const MOST_COUNTED = 200_000;

interface TurnAtWork {
  readonly _id: string;
  readonly nextAt: Date | null;
  readonly isLeased: boolean;
  /** Until when what is due is held, to be bundled. */
  readonly heldUntil?: Date | null;
}

/** MongoDB goes from turn to turn in the index where the turn has a bound of this form, the sort is the index's, and the first is taken. */
export const oldestOfEach = (until: Date): mongo.Document[] => [
  { $match: { turn: { $gt: '' } } },
  { $sort: BY_TURN_AND_TIME },
  { $group: { _id: '$turn', dueAt: { $first: '$nextAt' } } },
  { $match: { dueAt: { $lte: until } } },
  { $limit: MOST },
];

/** Messages that nobody hands over, in MongoDB. */
export class MongoUndelivered implements Undelivered {
  readonly #connection: Connection;
  readonly #turns: Pick<MongoTurns, 'enqueue'>;

  constructor(connection: Connection, turns: Pick<MongoTurns, 'enqueue'>) {
    this.#connection = connection;
    this.#turns = turns;
  }

  async find(until: Date, now: Date): Promise<readonly StuckTurn[]> {
    const oldest = await this.#oldest(until);
    if (oldest.size === 0) return [];
    const turns = new Map((await this.#turnsOf([...oldest.keys()])).map((turn) => [turn._id, turn]));
    const left = [...oldest].filter(([turn]) => isLeft(turns.get(turn), until, now));
    const messages = await this.#messagesOf(
      left.map(([turn]) => turn),
      until,
    );
    return left.map(([turn, dueAt]) => ({ turn, messages: messages.get(turn) ?? 1, dueAt }));
  }

  async redrive(turns: readonly string[], now: Date): Promise<void> {
    const waiting = new Map(turns.map((turn) => [turn, now]));
    await inTransaction(this.#connection, (session) => this.#turns.enqueue(waiting, session));
  }

  async counts(since: Date): Promise<DeliveryCounts> {
    const deliveries = this.#deliveries();
    const waiting = await deliveries.countDocuments(
      { turn: { $exists: true } },
      { hint: BY_TURN_AND_TIME, limit: MOST_COUNTED },
    );
    const ended = await deliveries
      .aggregate<{ readonly _id: string; readonly count: number }>([
        { $match: { endedAt: { $exists: true, $gte: since }, state: { $exists: true } } },
        { $limit: MOST_COUNTED },
        { $group: { _id: '$state', count: { $sum: 1 } } },
      ])
      .toArray();
    const of = (state: string) => ended.find(({ _id }) => _id === state)?.count ?? 0;
    return { waiting, sent: of('sent'), delivered: of('delivered'), failed: of('failed'), dropped: of('dropped') };
  }

  /** When the longest due message of each turn was due. One key of the index is read for each turn: a storm for one person hides nobody. */
  async #oldest(until: Date): Promise<ReadonlyMap<string, Date>> {
    const found = await this.#deliveries()
      .aggregate<{ readonly _id: string; readonly dueAt: Date }>(oldestOfEach(until), { hint: BY_TURN_AND_TIME })
      .toArray();
    return new Map(found.map(({ _id, dueAt }) => [_id, dueAt]));
  }

  async #messagesOf(turns: readonly string[], until: Date): Promise<ReadonlyMap<string, number>> {
    if (turns.length === 0) return new Map();
    const found = await this.#deliveries()
      .aggregate<{ readonly _id: string; readonly messages: number }>(
        [
          { $match: { turn: { $in: [...turns] }, nextAt: { $lte: until } } },
          { $limit: MOST },
          { $group: { _id: '$turn', messages: { $sum: 1 } } },
        ],
        { hint: BY_TURN_AND_TIME },
      )
      .toArray();
    return new Map(found.map(({ _id, messages }) => [_id, messages]));
  }

  async #turnsOf(ids: readonly string[]): Promise<readonly TurnAtWork[]> {
    return collectionOf(this.#connection, TURNS)
      .aggregate<TurnAtWork>([
        { $match: { _id: { $in: ids } } },
        { $project: { nextAt: 1, heldUntil: 1, isLeased: { $gt: ['$leaseUntil', '$$NOW'] } } },
      ])
      .toArray();
  }

  #deliveries() {
    return collectionOf<DeliveryDocument>(this.#connection, DELIVERIES);
  }
}

/** Whether nobody holds the turn and nobody comes for it soon. */
function isLeft(turn: TurnAtWork | undefined, until: Date, now: Date): boolean {
  if (turn === undefined) return true;
  if (turn.isLeased) return false;
  const { heldUntil, nextAt } = turn;
  // Held pages wait for later, and are looked at then.
  if (heldUntil !== undefined && heldUntil !== null && heldUntil > now) return nextAt === null || nextAt <= until;
  return nextAt === null || nextAt > now || nextAt <= until;
}
