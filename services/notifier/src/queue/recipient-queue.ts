import {
  type Delivery,
  type DeliveryMethod,
  isStatusUpdate,
  isPage,
  isWebhook,
  userIdOf,
  type WebhookEvent,
} from '../messages/delivery.ts';

/** A queue that this process has claimed: while the lease lasts no other process sends a message of it. */
export interface ClaimedQueue {
  /** `<method>:<user>`, or the id of a queue of an integration. */
  readonly id: string;
  /** The token of this claim. A queue with another token was claimed by another process. */
  readonly token: string;
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
 * calls wait. A channel of chat has one, so that one process at a time paces what it gets (C3).
 */
const webhookQueueOf = ({
  alertId,
  integrationId,
  isChat,
}: Pick<WebhookEvent, 'alertId' | 'integrationId' | 'isChat'>): string =>
  isChat === true
    ? chatQueueOf(integrationId)
    : `webhook:${integrationId}:${hashOf(alertId) % MAX_CALLS_PER_INTEGRATION}`;

/** The queue of the events for a channel of chat. */
export const chatQueueOf = (integrationId: string): string => `webhook:${integrationId}:0`;

/** The integration of a queue of {@link webhookQueueOf}. */
export const integrationOfQueue = (id: string): string => id.slice(id.indexOf(':') + 1, id.lastIndexOf(':'));

const hashOf = (text: string): number =>
  Array.from(text).reduce((hash, character) => (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0, 7);
