import type { ContactMethod, Decision, SubscriptionEvent, VerificationEvent } from '@tocsin/events';
import type { Delivery, UserDelivery } from '../messages/delivery.ts';
import type { CallPeriod } from '../webhooks/webhook-delivery.ts';
import type { ClaimedQueue } from './recipient-queue.ts';

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
