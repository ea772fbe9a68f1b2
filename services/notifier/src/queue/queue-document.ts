import { DELIVERY_METHODS, type DeliveryMethod } from '../messages/delivery.ts';
import { BUNDLED_WITHIN_MS, type RecentMessage } from './next-message.ts';
import { methodOfQueue } from './recipient-queue.ts';
import { type CallPeriod, MAX_GAP_MS } from '../webhooks/webhook-delivery.ts';

/**
 * The queue of one user and method, or one of the eight of an integration. The document stays when the queue is empty.
 */
export interface QueueDocument {
  readonly _id: string;
  /**
   * When the next message is due; null without a waiting message. Never earlier than the last release, so that queues are served
   * round-robin.
   */
  readonly nextAt: Date | null;
  /** By MongoDB's clock; null without a lease. */
  readonly leaseUntil: Date | null;
  readonly token: string | null;
  /**
   * Grows with each added message and each lock, so that two transactions that write the queue at the same time conflict, and the second
   * one reads what the first one wrote.
   */
  readonly calls: number;
  /** The messages with pages that were begun within the last minute; only for methods that bundle pages. */
  readonly recent?: readonly RecentMessage[];
  /** Until then due messages are held: to be bundled (U8), or because a receiver of webhooks failed sentAt. */
  readonly heldUntil?: Date | null;
  /** Since when processes have called the receiver without a long pause; only in a queue of an integration. */
  readonly calling?: CallPeriod;
}

/** Fields or an expression of an aggregation. */
type Expression = Readonly<Record<string, unknown>>;

/** Matches the queues of these methods, all that this release knows unless given. */
export const ofMethods = (
  methods: readonly DeliveryMethod[] = DELIVERY_METHODS,
): { readonly _id: { readonly $regex: string } } => ({
  _id: { $regex: `^(${methods.join('|')}):` },
});

/** The field of a queue of an integration in which a process begins a call at `now`. */
export const callPeriodAt = (now: Date): Expression => {
  const goesOn = { $gt: ['$calling.lastAt', new Date(now.getTime() - MAX_GAP_MS)] };
  return { calling: { since: { $cond: [goesOn, '$calling.since', now] }, lastAt: now } };
};

/** Matches a date, and not null. */
export const ANY_DATE = { $gt: new Date(0) };

/** More than any limit allows. */
const MAX_RECENT = 200;

const orNull = (field: string): Expression => ({ $ifNull: [field, null] });

/**
 * The fields of a queue to which a message is added that is due at `nextAt`. The queue is due then, or earlier if it was before. While the
 * receiver of an integration is not called, the due time of its queue stays: otherwise a process would look at it for each new call.
 */
export const enqueuedFields = (id: string, nextAt: Date): Expression => ({
  nextAt:
    methodOfQueue(id) === 'webhook'
      ? { $cond: [{ $gt: ['$heldUntil', nextAt] }, '$nextAt', { $min: ['$nextAt', nextAt] }] }
      : { $min: ['$nextAt', nextAt] },
  leaseUntil: orNull('$leaseUntil'),
  token: orNull('$token'),
  calls: { $add: [{ $ifNull: ['$calls', 0] }, 1] },
});

/**
 * The fields of a queue in which `message` is begun: it is stored with the messages of the minute before it, and the hold ends.
 */
export function recentFields(message: RecentMessage | undefined): Expression {
  if (message === undefined) return {};
  const since = new Date(message.at.getTime() - BUNDLED_WITHIN_MS);
  const sentAt = { $filter: { input: { $ifNull: ['$recent', []] }, cond: { $gt: ['$$this.at', since] } } };
  // MongoDB would read a contact that begins with `$` as an expression.
  const all = { $concatArrays: [sentAt, [{ $literal: message }]] };
  return { heldUntil: null, recent: { $slice: [all, -MAX_RECENT] } };
}
