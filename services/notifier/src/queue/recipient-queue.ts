import type { ContactMethod, Decision, SubscriptionEvent, VerificationEvent } from '@tocsin/events';
import {
  type Delivery,
  type DeliveryMethod,
  isStatusUpdate,
  isPage,
  isWebhook,
  type UserDelivery,
  userIdOf,
  type WebhookEvent,
} from '../messages/delivery.ts';
import type { CallPeriod } from '../webhooks/webhook-delivery.ts';

/**
 * The written change of one delivery: its new state, the next try where there is one, the decision for the log, and the event by
 * which directory may verify a user or device.
 */
export interface DeliveryChange<D extends Delivery = Delivery> {
  readonly delivery: D;
  readonly retryAt?: Date;
  readonly decision?: Decision;
  readonly verification?: VerificationEvent | undefined;
  /** The event by which directory stops using the browser (U22). */
  readonly endedSubscription?: SubscriptionEvent | undefined;
}

/**
 * Checks a chosen delivery: begins its attempt where it is to be sent, and ends it where it is not. Of a call of a webhook it also reads for
 * how long processes have called its receiver. It may be called again.
 */
export type Check = (delivery: Delivery, calling?: CallPeriod) => DeliveryChange;

/** A queue that this process has claimed: while the lease lasts no other process sends a message of it. */
export interface ClaimedQueue {
  /** `<method>:<user>`, or the id of a queue of an integration. */
  readonly id: string;
  /** The token of this claim. A queue with another token was claimed by another process. */
  readonly token: string;
}

/** A message that this process has begun, and hands over. Its deliveries are `sending`. */
export interface BegunMessage {
  readonly queue: ClaimedQueue;
  readonly delivery: Delivery;
  /** The pages that are sent in the same message (U8). */
  readonly others?: readonly Delivery[];
}

/** What the check made of chosen deliveries, once it is written. */
export interface BeginResult {
  /** At most one for each queue. */
  readonly begun: readonly BegunMessage[];
  /** The deliveries that the check ended: none of them is handed over. */
  readonly ended: readonly Delivery[];
}

/** The result of one attempt for a delivery. */
export interface DeliveryResult<D extends Delivery = Delivery> extends DeliveryChange<D> {
  /** The delivery by which the message goes to the next provider: due at once, of the same queue. */
  readonly successor?: UserDelivery;
}

/** The result of one attempt for a message: of its first delivery, and of the others in it. */
export interface MessageResult extends DeliveryResult {
  readonly queue: ClaimedQueue;
  readonly others?: readonly DeliveryResult[];
  /** Nothing was sent, which counts as no try. */
  readonly isPostponed?: boolean;
}

/** Slots for messages that are begun in the transaction that inserts them. */
export interface Slots {
  /** How many messages may be begun. */
  readonly free: number;
  /** How many of them may be of one method. */
  readonly freeFor: (method: ContactMethod) => number;
  readonly now: Date;
  readonly check: Check;
  /** To be called with the begun messages, and with those that the check ended, once their transaction is committed. */
  readonly handOver: (result: BeginResult) => void;
}

/** For messages that wait in their queue. */
export const noSlots = (now: Date): Slots => ({
  free: 0,
  freeFor: () => 0,
  now,
  check: (delivery) => ({ delivery }),
  handOver: () => undefined,
});

/** The recorded results, and what was begun in the same queues next. */
export interface RecordedResults extends BeginResult {
  /** The results that were written, at least for a part of their message. */
  readonly recorded: readonly MessageResult[];
}

/**
 * The id of the queue in which a message waits. There is one for each user and method, of which one message at a time is sent, so that
 * messages arrive in order and a storm for one user costs another at most one message (F2). An integration has several ({@link webhookQueueOf}).
 */
export const queueIdOf = (delivery: Delivery): string =>
  isWebhook(delivery) ? webhookQueueOf(delivery.webhook) : `${delivery.method}:${userIdOf(delivery)}`;

/** The method of a queue by its id. */
export const methodOfQueue = (id: string): DeliveryMethod => id.slice(0, id.indexOf(':')) as DeliveryMethod;

/** Orders the messages of one queue that are due: by {@link rankOf}, then the oldest first. */
export const comesBefore = (one: Delivery, other: Delivery): number =>
  rankOf(one) - rankOf(other) ||
  one.dueAt.getTime() - other.dueAt.getTime() ||
  (one.deliveryId < other.deliveryId ? -1 : 1);

const PRIORITIES = ['P1', 'P2', 'P3', 'P4', 'P5'];
/** A notice, of a shift too, waits as long as a first page of middle priority. */
const RANK_OF_NOTICE = 4;
/** Status updates are sent last, because they ask for no action. */
const RANK_OF_STATUS_UPDATE = 2 * PRIORITIES.length;

/**
 * The order within a queue, the lowest rank first: P1 before P2 and so on, a first page before repeats, and all pages before status
 * updates, which have an order of their own (F2).
 */
export function rankOf(delivery: Delivery): number {
  if (!isPage(delivery)) return RANK_OF_NOTICE;
  const { page, run = 0 } = delivery;
  const priority = PRIORITIES.indexOf(page.alert.priority);
  if (isStatusUpdate(page)) return RANK_OF_STATUS_UPDATE + priority;
  return priority * 2 + (run > 0 || page.actionType === 'renotified-alert' ? 1 : 0);
}

/**
 * When a released queue is due again: after all queues that wait now, or at `dueAt`, when its next delivery is due, the later of both. A
 * queue with held pages is due when the hold ends, or when another delivery falls due, which `dueAt` is then.
 */
export function nextLookAt(dueAt: Date | undefined, heldUntil: Date | undefined, now: Date): Date | undefined {
  if (heldUntil !== undefined) return earlier(heldUntil, dueAt);
  return dueAt && later(dueAt, now);
}

export const earlier = (one: Date, other: Date | undefined): Date => (other !== undefined && other < one ? other : one);

export const later = (one: Date, other: Date): Date => (one > other ? one : other);

/** How many calls one integration gets side by side. */
export const MAX_CALLS_PER_INTEGRATION = 8;

/**
 * The queue in which a call waits. An integration has {@link MAX_CALLS_PER_INTEGRATION}, in each of which one call at a time is
 * under way, and all calls about one alert wait in the same one. So an integration has no more queues than these, however many
 * calls wait.
 */
const webhookQueueOf = ({ alertId, integrationId }: Pick<WebhookEvent, 'alertId' | 'integrationId'>): string =>
  `webhook:${integrationId}:${hashOf(alertId) % MAX_CALLS_PER_INTEGRATION}`;

/** The integration of a queue of {@link webhookQueueOf}. */
export const integrationOfQueue = (id: string): string => id.slice(id.indexOf(':') + 1, id.lastIndexOf(':'));

const hashOf = (text: string): number =>
  Array.from(text).reduce((hash, character) => (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0, 7);
