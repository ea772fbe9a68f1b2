import { collectionOf, type Connection, type Session } from '@tocsin/persistence';
import type { BundleLimits, RecentMessage } from '../domain/next-message.ts';
import { isPage, type Delivery } from '../domain/delivery.ts';
import { methodOfTurn } from '../domain/turn.ts';
import type { Turn } from '../ports/delivery-store.ts';
import { DELIVERY_FIELDS, toDelivery, type DeliveryDocument } from './delivery-document.ts';
import { DELIVERIES, TURNS } from './documents.ts';

/** What waits in a turn. */
export interface WaitingTurn {
  /** The token of whoever holds the turn. */
  readonly token: string | null;
  readonly recent: readonly RecentMessage[];
  /** Whether what is due was held, to be bundled. */
  readonly wasHeld: boolean;
  /** What is due, in the order in which it is told. Each has only the fields of {@link CHOSEN_BY}. */
  readonly due: readonly Delivery[];
}

interface FoundTurn {
  readonly _id: string;
  readonly token: string | null;
  readonly recent?: readonly RecentMessage[];
  readonly heldUntil?: Date | null;
  readonly due: readonly DeliveryDocument[];
}

interface ReadContext {
  readonly now: Date;
  readonly session: Session;
  /** The ids of deliveries that are left out. */
  readonly except: ReadonlySet<string>;
}

/** Pages that are read of a turn: two contacts (U3) with 100 pages each, and twice that for those that other providers have refused. */
const MOST_READ = 400;
/** What a message of several pages tells of none of them: alerts may be long, and many such messages are under way at once. */
const NOT_TOLD_IN_BUNDLES = {
  'page.alert.actions': 0,
  'page.alert.description': 0,
  'page.alert.details': 0,
  'page.alert.responders': 0,
  'page.alert.tags': 0,
  'page.news.note': 0,
} as const;
/** The fields by which the next message is chosen. None may be long, because all that is due comes in one document. */
const CHOSEN_BY = {
  _id: 1,
  attempts: 1,
  bundle: 1,
  byItself: 1,
  contactId: 1,
  dueAt: 1,
  interruptions: 1,
  method: 1,
  'notice.kind': 1,
  'page.actionType': 1,
  'page.alert.priority': 1,
  postponements: 1,
  refusedBy: 1,
  run: 1,
  'shift.actionType': 1,
  state: 1,
  to: 1,
} as const;

/** What waits in turns, in MongoDB, as a transaction sees it. */
export class MongoWaiting {
  readonly #connection: Connection;
  readonly #limits: BundleLimits;

  constructor(connection: Connection, limits: BundleLimits) {
    this.#connection = connection;
    this.#limits = limits;
  }

  /** Deliveries by their ids, with all that they say. */
  async whole(chosen: readonly Delivery[], session: Session): Promise<ReadonlyMap<string, Delivery>> {
    return this.#read(chosen, session, DELIVERY_FIELDS);
  }

  /** The deliveries of messages by their ids. Where a message has several pages, each comes without what may be long and is not told. */
  async ofMessages(
    messages: readonly (readonly Delivery[])[],
    session: Session,
  ): Promise<ReadonlyMap<string, Delivery>> {
    const { bundles = [], singles = [] } = Object.groupBy(messages, ({ length }) =>
      length > 1 ? 'bundles' : 'singles',
    );
    const brief = await this.#read(bundles.flat(), session, { ...DELIVERY_FIELDS, ...NOT_TOLD_IN_BUNDLES });
    return new Map([
      ...(await this.whole(singles.flat(), session)),
      ...[...brief].map(([id, of]) => [id, briefly(of)] as const),
    ]);
  }

  /** Turn -> what is due in it; the first message alone where nothing is bundled. */
  async dueIn(turns: readonly Turn[], context: ReadContext): Promise<ReadonlyMap<string, WaitingTurn>> {
    const waiting = new Map<string, WaitingTurn>();
    for (const [most, some] of Map.groupBy(turns, ({ id }) => this.#mostRead(id)))
      for (const { _id, due, heldUntil = null, recent = [], token } of await this.#find(some, most, context))
        waiting.set(_id, { token, recent, wasHeld: heldUntil !== null, due: due.map(toDelivery) });
    return waiting;
  }

  /** Turn -> when the next of its deliveries is due, or the next `after` an instant. */
  async nextOf(turns: readonly Turn[], session: Session, after?: Date): Promise<ReadonlyMap<string, Date>> {
    if (turns.length === 0) return new Map();
    const found = await collectionOf<DeliveryDocument>(this.#connection, DELIVERIES)
      .aggregate<{ readonly _id: string; readonly nextAt: Date }>(
        [
          { $match: { turn: { $in: turns.map(({ id }) => id) }, ...(after && { nextAt: { $gt: after } }) } },
          { $sort: { turn: 1, nextAt: 1 } },
          { $group: { _id: '$turn', nextAt: { $first: '$nextAt' } } },
        ],
        { session },
      )
      .toArray();
    return new Map(found.map(({ _id, nextAt }) => [_id, nextAt]));
  }

  /** Token, messages and what is due are read in one command. */
  async #find(
    turns: readonly Turn[],
    most: number,
    { except, now, session }: ReadContext,
  ): Promise<readonly FoundTurn[]> {
    const due = [
      { $match: { nextAt: { $lte: now }, ...(except.size > 0 && { _id: { $nin: [...except] } }) } },
      { $sort: { rank: 1, nextAt: 1, _id: 1 } },
      { $limit: most },
      { $project: CHOSEN_BY },
    ];
    return collectionOf(this.#connection, TURNS)
      .aggregate<FoundTurn>(
        [
          { $match: { _id: { $in: turns.map(({ id }) => id) } } },
          { $lookup: { from: DELIVERIES, localField: '_id', foreignField: 'turn', pipeline: due, as: 'due' } },
          { $project: { token: 1, recent: 1, heldUntil: 1, due: 1 } },
        ],
        { session },
      )
      .toArray();
  }

  async #read(
    chosen: readonly Delivery[],
    session: Session,
    projection: Readonly<Record<string, 0>>,
  ): Promise<ReadonlyMap<string, Delivery>> {
    if (chosen.length === 0) return new Map();
    const ids = chosen.map(({ deliveryId }) => deliveryId);
    const found = await collectionOf<DeliveryDocument>(this.#connection, DELIVERIES)
      .find({ _id: { $in: ids } }, { session, projection })
      .toArray();
    return new Map(found.map((document) => [document._id, toDelivery(document)]));
  }

  #mostRead(turn: string): number {
    const limit = this.#limits.get(methodOfTurn(turn));
    return limit === undefined ? 1 : MOST_READ;
  }
}

/** A delivery with the page as it is stored, where that was read. */
export const withWholePage = (delivery: Delivery, stored: Delivery | undefined): Delivery =>
  stored !== undefined && isPage(stored) && isPage(delivery) ? { ...delivery, page: stored.page } : delivery;

/** A delivery that was read without {@link NOT_TOLD_IN_BUNDLES}. */
const briefly = (delivery: Delivery): Delivery =>
  isPage(delivery)
    ? {
        ...delivery,
        page: {
          ...delivery.page,
          alert: { ...delivery.page.alert, actions: [], description: '', details: {}, responders: [], tags: [] },
        },
      }
    : delivery;
