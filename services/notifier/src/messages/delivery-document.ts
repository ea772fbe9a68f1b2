import type { Page } from '@tocsin/events';
import type { mongo } from 'mongoose';
import { subjectOf, type Delivery, markDropped, isFinal, type WebhookDelivery } from './delivery.ts';
import type { Repetition } from '../pages/repetition.ts';
import { rankOf, queueIdOf } from '../queue/recipient-queue.ts';

export const NOTICES = 'notices';
export const DELIVERIES = 'deliveries';
export const RECIPIENT_QUEUES = 'recipient_queues';
export const ACTS = 'acts';
export const REPLY_CODES = 'reply_codes';
export const CHAT_POSTS = 'chat_posts';
export const CHAT_ON_CALL = 'chat_on_call';
export const BOT_FAILURES = 'bot_failures';
export const SOCKET_FAILURES = 'socket_failures';
export const CHAT_DIGESTS = 'chat_digests';
export const PROVIDER_PAUSES = 'provider_pauses';
export const SHADOW = 'shadow';

/** Keys of the index by which the oldest delivery of each queue is found. */
export const BY_QUEUE_AND_TIME = { queue: 1, nextAt: 1 } as const;

/** Keys of the index by which messages are found that may be tried early (U7). */
export const EARLY_RETRIES = { method: 1, provider: 1, rank: 1, nextAt: 1 } as const;

/**
 * The row of a page. It has the page's id, so that a page that comes twice is recognised. Its first delivery, if there is
 * one, is in the same row.
 */
export interface PageDocument {
  readonly _id: string;
  readonly page: Pick<Page, 'pageId' | 'alertId' | 'userId'>;
  /** The next repetition of its steps, which is due at `nextDueAt`; both are absent where there is none. */
  readonly next?: Omit<Repetition, 'dueAt'>;
  readonly nextDueAt?: Date;
  readonly endedAt?: Date;
}

/** The fields of a page's row that say how its steps are repeated. */
export function fromRepetition({ dueAt, ...next }: Repetition): Required<Pick<PageDocument, 'next' | 'nextDueAt'>> {
  return { next, nextDueAt: dueAt };
}

/** Empty where the steps of the page are not repeated. */
export function toRepetitions({ next, nextDueAt }: PageDocument): readonly Repetition[] {
  return next === undefined || nextDueAt === undefined ? [] : [{ ...next, dueAt: nextDueAt }];
}

/** Moves a page on to its next repetition, or to none. Its content stays as it is stored. */
export function repetitionUpdate(next: Repetition | undefined): mongo.UpdateFilter<PageDocument> {
  if (next === undefined) return { $unset: { next: 1, nextDueAt: 1 } };
  const { dueAt, loopAfterMinutes, number } = next;
  return { $set: { 'next.number': number, 'next.loopAfterMinutes': loopAfterMinutes, nextDueAt: dueAt } };
}

/** The row of a page that has no message. */
export function fromPage({ alertId, pageId, userId }: Page, now: Date): PageDocument {
  return { _id: pageId, page: { pageId, alertId, userId }, endedAt: now };
}

/** Fields of queries: the first three of a delivery that waits, the last one of a delivery that has ended. */
interface Found {
  readonly queue?: string;
  readonly rank?: number;
  readonly nextAt?: Date;
  readonly endedAt?: Date;
}

type Stored<D> = D extends Delivery
  ? Omit<D, 'deliveryId' | 'reason'> & Found & { readonly _id: string; readonly reason: string | null }
  : never;

/** A delivery as it is stored: MongoDB has null where we have undefined. */
export type DeliveryDocument = Stored<Delivery>;

/** The document of a new delivery. A final one, which ended at `now`, has no queue and no content (A6). */
export function fromDelivery(delivery: Delivery, now: Date): DeliveryDocument {
  const { deliveryId, reason, ...rest } = delivery;
  const stored = { _id: deliveryId, reason: reason ?? null, ...rest };
  if (isFinal(delivery)) return { ...stored, ...subjectOf(delivery), endedAt: now };
  return { ...stored, queue: queueIdOf(delivery), rank: rankOf(delivery), nextAt: delivery.dueAt };
}

/** The due time of a call of a webhook that waits for the end of an earlier one about its alert. */
export const AFTER_EARLIER_CALL = new Date('9999-01-01T00:00:00Z');

/** Matches the calls of webhooks that wait or are under way: a final one has no content. */
export const WITH_CONTENT = { 'webhook.alert': { $exists: true } } as const;

/** A call whose alert is deleted keeps only its id, so that a repeat is recognised (A6). */
export const fromErasedWebhook = (delivery: WebhookDelivery): DeliveryDocument => ({
  ...fromDelivery(markDropped(delivery, ALERT_DELETED), delivery.dueAt),
});

/** Ends calls whose alerts are deleted. */
export const erasedWebhooks = (now: Date): mongo.Document[] => [
  {
    $set: {
      state: 'dropped',
      reason: ALERT_DELETED,
      endedAt: now,
      // MongoDB would merge a plain object into the present one.
      webhook: {
        $mergeObjects: [
          {
            action: '$webhook.action',
            alertId: '$webhook.alertId',
            integrationId: '$webhook.integrationId',
            version: '$webhook.version',
          },
        ],
      },
    },
  },
  { $unset: ['queue', 'rank', 'nextAt'] },
];

const ALERT_DELETED = 'the alert was deleted';

/** The projection for {@link toDelivery}, without the fields of queries. */
export const DELIVERY_FIELDS = { queue: 0, rank: 0, nextAt: 0, endedAt: 0, next: 0, nextDueAt: 0 } as const;

export function toDelivery({ _id, reason, ...rest }: DeliveryDocument): Delivery {
  return { deliveryId: _id, reason: reason ?? undefined, ...rest };
}

/**
 * The update of a delivery that was changed. Its content stays as it is stored while it waits. A final delivery keeps its subject, address
 * and result, but no content of an alert and no code (A6). Where a receipt may move it to another provider, the content stays until that
 * is no longer possible.
 */
export function deliveryUpdate(
  delivery: Delivery,
  { now, retryAt }: { readonly now: Date; readonly retryAt?: Date | undefined },
): mongo.UpdateFilter<DeliveryDocument> {
  const { bundle, earlyRetry, keptUntil } = delivery;
  const life = changedBy(delivery);
  const absent = {
    ...(bundle === undefined && { bundle: 1 as const }),
    ...((earlyRetry === undefined || isFinal(delivery)) && { earlyRetry: 1 as const }),
  };
  if (!isFinal(delivery))
    return {
      $set: { ...life, ...(earlyRetry && { earlyRetry }), ...(retryAt && { nextAt: retryAt }) },
      ...(Object.keys(absent).length > 0 && { $unset: absent }),
    };
  const kept = keptUntil === undefined ? subjectOf(delivery) : { keptUntil };
  return {
    $set: { ...life, ...kept, endedAt: now } as Partial<DeliveryDocument>,
    $unset: { queue: 1, rank: 1, nextAt: 1, ...absent, ...(keptUntil === undefined && { keptUntil: 1 }) },
  };
}

/** The fields of a delivery that its attempts change. */
function changedBy(delivery: Delivery) {
  const { attempts, bundle, byItself, interruptions, postponements, provider, reason, state, to, triedSince } =
    delivery;
  return {
    attempts,
    interruptions,
    postponements,
    reason: reason ?? null,
    state,
    ...(to !== undefined && { to }),
    ...(provider !== undefined && { provider }),
    ...(bundle !== undefined && { bundle }),
    ...(byItself === true && { byItself }),
    ...(triedSince !== undefined && { triedSince }),
  };
}
