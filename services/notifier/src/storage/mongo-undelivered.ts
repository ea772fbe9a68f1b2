import { collectionOf, inTransaction, type Connection } from '@tocsin/persistence';
import type { DeliveryCounts, StuckTurn, Undelivered } from '../ports/undelivered.ts';
import type { DeliveryDocument } from './delivery-document.ts';
import { BY_TURN_AND_TIME, DELIVERIES, TURNS } from './documents.ts';
import type { MongoTurns } from './mongo-turns.ts';

/** Messages of one look. */
const MOST = 5_000;
const MOST_COUNTED = 200_000;

interface TurnAtWork {
  readonly _id: string;
  readonly nextAt: Date | null;
  readonly isHeld: boolean;
}

/** What is due for one turn. */
interface Due {
  readonly messages: number;
  readonly dueAt: Date;
}

/** Messages that nobody hands over, in MongoDB. */
export class MongoUndelivered implements Undelivered {
  readonly #connection: Connection;
  readonly #turns: Pick<MongoTurns, 'call'>;

  constructor(connection: Connection, turns: Pick<MongoTurns, 'call'>) {
    this.#connection = connection;
    this.#turns = turns;
  }

  async find(until: Date, now: Date): Promise<readonly StuckTurn[]> {
    const due = await this.#due(until);
    if (due.size === 0) return [];
    const turns = new Map((await this.#turnsOf([...due.keys()])).map((turn) => [turn._id, turn]));
    return [...due].flatMap(([turn, each]) => (isLeft(turns.get(turn), until, now) ? [{ turn, ...each }] : []));
  }

  async call(turns: readonly string[], now: Date): Promise<void> {
    const waiting = new Map(turns.map((turn) => [turn, now]));
    await inTransaction(this.#connection, (session) => this.#turns.call(waiting, [], session));
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

  /** By turn, read from the index alone. */
  async #due(until: Date): Promise<ReadonlyMap<string, Due>> {
    const found = await this.#deliveries()
      .find({ turn: { $exists: true }, nextAt: { $lte: until } }, { projection: { _id: 0, turn: 1, nextAt: 1 } })
      .hint(BY_TURN_AND_TIME)
      .limit(MOST)
      .toArray();
    const due = new Map<string, Due>();
    for (const { nextAt = until, turn = '' } of found) {
      const before = due.get(turn);
      const dueAt = before !== undefined && before.dueAt < nextAt ? before.dueAt : nextAt;
      due.set(turn, { messages: (before?.messages ?? 0) + 1, dueAt });
    }
    return due;
  }

  async #turnsOf(ids: readonly string[]): Promise<readonly TurnAtWork[]> {
    return collectionOf(this.#connection, TURNS)
      .aggregate<TurnAtWork>([
        { $match: { _id: { $in: ids } } },
        { $project: { nextAt: 1, isHeld: { $gt: ['$leaseUntil', '$$NOW'] } } },
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
  if (turn.isHeld) return false;
  return turn.nextAt === null || turn.nextAt > now || turn.nextAt <= until;
}
