import { collectionOf, type Connection, type Session } from '@tocsin/mongo';
import { checkTogether } from '../messages/bundle.ts';
import { begunTogether, type BundleLimits, chooseNext, type RecentMessage } from './next-message.ts';
import { type Delivery, isFinal, isPage } from '../messages/delivery.ts';
import { type Check, type DeliveryChange, methodOfQueue, type ClaimedQueue } from './recipient-queue.ts';
import type { QueueLeases } from './lease-store.ts';
import type { CallPeriod } from '../webhooks/webhook-delivery.ts';
import {
  DELIVERY_FIELDS,
  type DeliveryDocument,
  toDelivery,
  DELIVERIES,
  RECIPIENT_QUEUES,
} from '../messages/delivery-document.ts';

export interface MessageChooserParts {
  readonly leases: Pick<QueueLeases, 'mayHandOver' | 'release'>;
  readonly waiting: DueMessageReader;
  readonly bundles: BundleLimits;
}

/** A queue with the checked deliveries of its next message. */
export interface CheckedQueue {
  readonly queue: ClaimedQueue;
  readonly changes: readonly (DeliveryChange & { readonly before: Delivery })[];
  /** Nothing is sent until then. */
  readonly heldUntil?: Date;
}

interface ReadContext {
  readonly now: Date;
  readonly session: Session;
  /** The ids of deliveries that have their result in the same transaction. */
  readonly recordedIds?: ReadonlySet<string>;
  /** The ids of queues whose receivers are not called, and until when. */
  readonly paused?: ReadonlyMap<string, Date> | undefined;
}

/** Chooses and checks the next message of queues, as a transaction sees them. It writes only the queues that it releases. */
export class MessageChooser {
  readonly #parts: MessageChooserParts;

  constructor(parts: MessageChooserParts) {
    this.#parts = parts;
  }

  /** Skips queues whose lease is lost, and releases those that have to wait for another transaction. */
  async chooseAndCheck(
    queues: readonly ClaimedQueue[],
    check: Check,
    context: ReadContext,
  ): Promise<readonly CheckedQueue[]> {
    const { waiting } = this.#parts;
    const { session } = context;
    const choices = await this.#choose(queues, context);
    const found = await waiting.ofMessages(
      choices.map(({ chosen }) => chosen),
      session,
    );
    const checked = choices.map(({ calling, chosen, ...queue }) => ({
      ...queue,
      changes: checkTogether(
        chosen.flatMap(({ deliveryId }) => found.get(deliveryId) ?? []),
        (before) => ({ before, ...check(before, calling) }),
      ),
    }));
    return this.#withContentWhereAlone(checked, session);
  }

  async #choose(queues: readonly ClaimedQueue[], { recordedIds = new Set(), now, paused, session }: ReadContext) {
    const { bundles, waiting } = this.#parts;
    const found = await waiting.dueIn(queues, { now, session, except: recordedIds });
    const choosable = queues.flatMap((queue) => {
      const inQueue = found.get(queue.id);
      // Nothing is begun that this process would not send: it would count as interrupted.
      if (inQueue?.token !== queue.token || !this.#parts.leases.mayHandOver(queue)) return [];
      const { calling, due } = inQueue;
      const context = { ...inQueue, limits: bundles, now, pausedUntil: paused?.get(queue.id) };
      return [{ queue, calling, ...chooseNext(due, context) }];
    });
    const choices = begunTogether(choosable);
    const chosenQueues = new Set(choices.map(({ queue }) => queue));
    const others = queues.filter((queue) => !chosenQueues.has(queue));
    await this.#parts.leases.release(others, session);
    return choices;
  }

  /** Where one page of several is left to send, it becomes a message of its own, with its long texts. */
  async #withContentWhereAlone(checked: readonly CheckedQueue[], session: Session): Promise<readonly CheckedQueue[]> {
    const isAlone = ({ delivery }: DeliveryChange): boolean => !isFinal(delivery) && delivery.bundle === undefined;
    const left = checked.flatMap(({ changes }) => (changes.length > 1 ? changes.filter(isAlone) : []));
    const whole = await this.#parts.waiting.withContent(
      left.map(({ delivery }) => delivery),
      session,
    );
    const changed = <C extends DeliveryChange>(change: C): C => ({
      ...change,
      delivery: withStoredPage(change.delivery, whole.get(change.delivery.deliveryId)),
    });
    return whole.size === 0 ? checked : checked.map((each) => ({ ...each, changes: each.changes.map(changed) }));
  }
}

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

/** How many pages are read of a queue: 100 for each of two contacts (U3), and as many again that other providers have refused. */
const MAX_READ = 400;
/** How many calls are read of a queue of an integration: all that have waited for too long fail together. */
const MAX_CALLS_READ = 16;
/**
 * The fields of each page that a message of several pages does not have: alerts may be long, and many such messages are under way at once.
 */
const LEFT_OUT_IN_BUNDLES = {
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
} as const;

/** Reads the due messages of queues, as a transaction sees them. */
export class DueMessageReader {
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
    const brief = await this.#read(bundles.flat(), session, { ...DELIVERY_FIELDS, ...LEFT_OUT_IN_BUNDLES });
    return new Map([
      ...(await this.withContent(singles.flat(), session)),
      ...[...brief].map(([id, of]) => [id, withoutLongFields(of)] as const),
    ]);
  }

  /** Queue id -> its due messages; only the first one where nothing is bundled. */
  async dueIn(queues: readonly ClaimedQueue[], context: DueContext): Promise<ReadonlyMap<string, DueMessages>> {
    const waiting = new Map<string, DueMessages>();
    for (const [most, some] of Map.groupBy(queues, ({ id }) => this.#mostRead(id)))
      for (const { _id, calling, due, heldUntil = null, recent = [], token } of await this.#find(some, most, context))
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
    most: number,
    { except, now, session }: DueContext,
  ): Promise<readonly FoundQueue[]> {
    const due = [
      { $match: { nextAt: { $lte: now }, ...(except.size > 0 && { _id: { $nin: [...except] } }) } },
      { $sort: { rank: 1, nextAt: 1, _id: 1 } },
      { $limit: most },
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

  #mostRead(queue: string): number {
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

/** A delivery that was read without {@link LEFT_OUT_IN_BUNDLES}. */
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
