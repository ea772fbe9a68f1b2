import type { mongo } from 'mongoose';
import { collectionOf, type Connection, inTransaction } from '@tocsin/mongo';
import {
  type DeliveryDocument,
  BY_QUEUE_AND_TIME,
  DELIVERIES,
  RECIPIENT_QUEUES,
} from '../messages/delivery-document.ts';
import type { RecipientQueues } from './recipient-queue-store.ts';

/** Queues of one look, and messages that it counts. */
const MAX_QUEUES = 5_000;
const MAX_COUNTED = 200_000;

interface QueueState {
  readonly _id: string;
  readonly nextAt: Date | null;
  readonly isLeased: boolean;
  /** Until when pages are held, to be bundled. */
  readonly heldUntil?: Date | null;
}

/** Written so that MongoDB skips from queue to queue in the index: the bound of the queue, the order of the index, and `$first`. */
export const oldestOfEach = (until: Date): mongo.Document[] => [
  { $match: { queue: { $gt: '' } } },
  { $sort: BY_QUEUE_AND_TIME },
  { $group: { _id: '$queue', dueAt: { $first: '$nextAt' } } },
  { $match: { dueAt: { $lte: until } } },
  { $limit: MAX_QUEUES },
];

/** Messages that no process sends. */
export class UndeliveredMessages {
  readonly #connection: Connection;
  readonly #queues: Pick<RecipientQueues, 'enqueue'>;

  constructor(connection: Connection, queues: Pick<RecipientQueues, 'enqueue'>) {
    this.#connection = connection;
    this.#queues = queues;
  }

  /**
   * Queues without a lease whose messages were due at `until` or before, and that no process claims: the queue document is missing, or
   * is due later, or no process has claimed it since. At most 5 000 queues; messages are counted up to 5 000.
   */
  async find(until: Date, now: Date): Promise<readonly StuckQueue[]> {
    const oldest = await this.#oldest(until);
    if (oldest.size === 0) return [];
    const queues = new Map((await this.#queuesOf([...oldest.keys()])).map((queue) => [queue._id, queue]));
    const left = [...oldest].filter(([queue]) => isStuck(queues.get(queue), until, now));
    const messages = await this.#messagesOf(
      left.map(([queue]) => queue),
      until,
    );
    return left.map(([queue, dueAt]) => ({ queue, messages: messages.get(queue) ?? 1, dueAt }));
  }

  /** Makes the queues due again. */
  async redrive(queues: readonly string[], now: Date): Promise<void> {
    const waiting = new Map(queues.map((queue) => [queue, now]));
    await inTransaction(this.#connection, (session) => this.#queues.enqueue(waiting, session));
  }

  /** Counts messages that wait, and those that ended at `since` or later, up to 200 000 of each. */
  async counts(since: Date): Promise<DeliveryCounts> {
    const deliveries = this.#deliveries();
    const waiting = await deliveries.countDocuments(
      { queue: { $exists: true } },
      { hint: BY_QUEUE_AND_TIME, limit: MAX_COUNTED },
    );
    const ended = await deliveries
      .aggregate<{ readonly _id: string; readonly count: number }>([
        { $match: { endedAt: { $exists: true, $gte: since }, state: { $exists: true } } },
        { $limit: MAX_COUNTED },
        { $group: { _id: '$state', count: { $sum: 1 } } },
      ])
      .toArray();
    const countOf = (state: string) => ended.find(({ _id }) => _id === state)?.count ?? 0;
    return {
      waiting,
      sent: countOf('sent'),
      delivered: countOf('delivered'),
      failed: countOf('failed'),
      dropped: countOf('dropped'),
      heldBack: countOf('held-back'),
    };
  }

  /**
   * When the longest due message of each queue was due. It reads one key of the index for each queue, so a storm for one user hides no
   * other queue.
   */
  async #oldest(until: Date): Promise<ReadonlyMap<string, Date>> {
    const found = await this.#deliveries()
      .aggregate<{ readonly _id: string; readonly dueAt: Date }>(oldestOfEach(until), { hint: BY_QUEUE_AND_TIME })
      .toArray();
    return new Map(found.map(({ _id, dueAt }) => [_id, dueAt]));
  }

  async #messagesOf(queues: readonly string[], until: Date): Promise<ReadonlyMap<string, number>> {
    if (queues.length === 0) return new Map();
    const found = await this.#deliveries()
      .aggregate<{ readonly _id: string; readonly messages: number }>(
        [
          { $match: { queue: { $in: [...queues] }, nextAt: { $lte: until } } },
          { $limit: MAX_QUEUES },
          { $group: { _id: '$queue', messages: { $sum: 1 } } },
        ],
        { hint: BY_QUEUE_AND_TIME },
      )
      .toArray();
    return new Map(found.map(({ _id, messages }) => [_id, messages]));
  }

  async #queuesOf(ids: readonly string[]): Promise<readonly QueueState[]> {
    return collectionOf(this.#connection, RECIPIENT_QUEUES)
      .aggregate<QueueState>([
        { $match: { _id: { $in: ids } } },
        { $project: { nextAt: 1, heldUntil: 1, isLeased: { $gt: ['$leaseUntil', '$$NOW'] } } },
      ])
      .toArray();
  }

  #deliveries() {
    return collectionOf<DeliveryDocument>(this.#connection, DELIVERIES);
  }
}

/** Whether no process has the lease of the queue or will claim it soon. */
function isStuck(queue: QueueState | undefined, until: Date, now: Date): boolean {
  if (queue === undefined) return true;
  if (queue.isLeased) return false;
  const { heldUntil, nextAt } = queue;
  // Held pages are sent when the hold ends.
  if (heldUntil !== undefined && heldUntil !== null && heldUntil > now) return nextAt === null || nextAt <= until;
  return nextAt === null || nextAt > now || nextAt <= until;
}

/** The due messages of one queue, none of which is under way. */
export interface StuckQueue {
  /** The id of the queue: `<method>:<user>`, or that of a webhook. */
  readonly queue: string;
  readonly messages: number;
  /** When the longest due of them was due. */
  readonly dueAt: Date;
}

/** The number of messages by result. */
export interface DeliveryCounts {
  /** The messages that are not final. */
  readonly waiting: number;
  readonly sent: number;
  readonly delivered: number;
  readonly failed: number;
  readonly dropped: number;
  /** Not sent, because shadow was on. */
  readonly heldBack: number;
}
