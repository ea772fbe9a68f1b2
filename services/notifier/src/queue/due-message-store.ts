import { collectionOf, type Connection, type Session } from '@tocsin/mongo';
import {
  DELIVERY_FIELDS,
  type DeliveryDocument,
  toDelivery,
  DELIVERIES,
  RECIPIENT_QUEUES,
} from '../messages/delivery-document.ts';
import { type Delivery, isFinal, isPage } from '../messages/delivery.ts';
import type { CallPeriod } from '../webhooks/webhook-delivery.ts';
import type { BundleLimits, RecentMessage } from './next-message.ts';
import { methodOfQueue, type ClaimedQueue } from './recipient-queue.ts';

/** The waiting messages of a queue. */
export interface DueMessages {
  /** The token of the process that has claimed the queue. */
  readonly token: string | null;
  readonly recent: readonly RecentMessage[];
  /** Whether due pages were held, to be bundled. */
  readonly wasHeld: boolean;
  /** Of a queue of an integration. */
  readonly calling: CallPeriod | undefined;
  /** The due messages, in sending order. Each has only the fields of {@link CHOSEN_BY}. */
  readonly due: readonly Delivery[];
}

interface FoundQueue {
  readonly _id: string;
  readonly token: string | null;
  readonly recent?: readonly RecentMessage[];
  readonly heldUntil?: Date | null;
  readonly calling?: CallPeriod;
  readonly due: readonly DeliveryDocument[];
}

interface DueContext {
  readonly now: Date;
  readonly session: Session;
  /** The ids of deliveries that are left out. */
  readonly except: ReadonlySet<string>;
}

/** How many pages are read of a queue: 100 for each of two contacts (U3), of five devices fewer (U13), and as many again that other providers have refused. */
const MAX_READ = 400;
/** How many calls are read of a queue of an integration: all that have waited for too long fail together. */
const MAX_CALLS_READ = 16;
/**
 * The fields of each page that a message of several pages does not have: alerts may be long, and many such messages are under way at once.
 */
const LONG_FIELDS = {
  'page.alert.actions': 0,
  'page.alert.description': 0,
  'page.alert.details': 0,
  'page.alert.responders': 0,
  'page.alert.tags': 0,
  'page.statusUpdate.note': 0,
} as const;
/** The fields by which the next message is chosen. None may be long, because all due messages are in one document. */
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
  'webhook.isChat': 1,
} as const;

/** Reads the due messages of queues, as a transaction sees them. */
export class DueMessageStore {
  readonly #connection: Connection;
  readonly #limits: BundleLimits;

  constructor(connection: Connection, limits: BundleLimits) {
    this.#connection = connection;
    this.#limits = limits;
  }

  /** Deliveries by their ids, with all their content. */
  async withContent(chosen: readonly Delivery[], session: Session): Promise<ReadonlyMap<string, Delivery>> {
    return this.#read(chosen, session, DELIVERY_FIELDS);
  }

  /**
   * The deliveries of messages by their ids. Those of a message with several pages have no long fields.
   */
  async ofMessages(
    messages: readonly (readonly Delivery[])[],
    session: Session,
  ): Promise<ReadonlyMap<string, Delivery>> {
    const { bundles = [], singles = [] } = Object.groupBy(messages, ({ length }) =>
      length > 1 ? 'bundles' : 'singles',
    );
    const brief = await this.#read(bundles.flat(), session, { ...DELIVERY_FIELDS, ...LONG_FIELDS });
    return new Map([
      ...(await this.withContent(singles.flat(), session)),
      ...[...brief].map(([id, delivery]) => [id, withoutLongFields(delivery)] as const),
    ]);
  }

  /** Queue id -> its due messages; only the first one where nothing is bundled. */
  async dueIn(queues: readonly ClaimedQueue[], context: DueContext): Promise<ReadonlyMap<string, DueMessages>> {
    const waiting = new Map<string, DueMessages>();
    for (const [limit, some] of Map.groupBy(queues, ({ id }) => this.#maxRead(id)))
      for (const { _id, calling, due, heldUntil = null, recent = [], token } of await this.#find(some, limit, context))
        waiting.set(_id, { token, recent, wasHeld: heldUntil !== null, calling, due: due.map(toDelivery) });
    return waiting;
  }

  /** Queue id -> when the next of its deliveries is due, or the next `after` an instant. */
  async nextOf(queues: readonly ClaimedQueue[], session: Session, after?: Date): Promise<ReadonlyMap<string, Date>> {
    if (queues.length === 0) return new Map();
    const found = await collectionOf<DeliveryDocument>(this.#connection, DELIVERIES)
      .aggregate<{ readonly _id: string; readonly nextAt: Date }>(
        [
          { $match: { queue: { $in: queues.map(({ id }) => id) }, ...(after && { nextAt: { $gt: after } }) } },
          { $sort: { queue: 1, nextAt: 1 } },
          { $group: { _id: '$queue', nextAt: { $first: '$nextAt' } } },
        ],
        { session },
      )
      .toArray();
    return new Map(found.map(({ _id, nextAt }) => [_id, nextAt]));
  }

  /** One command reads the token and the due messages. */
  async #find(
    queues: readonly ClaimedQueue[],
    limit: number,
    { except, now, session }: DueContext,
  ): Promise<readonly FoundQueue[]> {
    const due = [
      { $match: { nextAt: { $lte: now }, ...(except.size > 0 && { _id: { $nin: [...except] } }) } },
      { $sort: { rank: 1, nextAt: 1, _id: 1 } },
      { $limit: limit },
      { $project: CHOSEN_BY },
    ];
    return collectionOf(this.#connection, RECIPIENT_QUEUES)
      .aggregate<FoundQueue>(
        [
          { $match: { _id: { $in: queues.map(({ id }) => id) } } },
          { $lookup: { from: DELIVERIES, localField: '_id', foreignField: 'queue', pipeline: due, as: 'due' } },
          { $project: { token: 1, recent: 1, heldUntil: 1, calling: 1, due: 1 } },
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

  #maxRead(queue: string): number {
    const method = methodOfQueue(queue);
    if (method === 'webhook') return MAX_CALLS_READ;
    return this.#limits.has(method) ? MAX_READ : 1;
  }
}

/** A delivery with its stored page, and with the reason if the page was cancelled meanwhile. A final delivery has no stored content. */
export function withStoredPage(delivery: Delivery, stored: Delivery | undefined): Delivery {
  if (stored === undefined || isFinal(stored) || !isPage(stored) || !isPage(delivery)) return delivery;
  const { cancelReason, page } = stored;
  return { ...delivery, page, ...(cancelReason !== undefined && { cancelReason }) };
}

/** A delivery that was read without {@link LONG_FIELDS}. */
const withoutLongFields = (delivery: Delivery): Delivery =>
  isPage(delivery)
    ? {
        ...delivery,
        page: {
          ...delivery.page,
          alert: { ...delivery.page.alert, actions: [], description: '', details: {}, responders: [], tags: [] },
        },
      }
    : delivery;
