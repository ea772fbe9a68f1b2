import { triesOf } from '../messages/attempts.ts';
import {
  type Delivery,
  type DeliveryMethod,
  isFinal,
  isPage,
  isWebhook,
  type WebhookDelivery,
} from '../messages/delivery.ts';
import { type CallPeriod, hasWaitedTooLong } from '../webhooks/webhook-delivery.ts';
import type { DeliveryChange, BeginResult, BegunMessage } from './message-result.ts';
import { rankOf, type ClaimedQueue } from './recipient-queue.ts';

/** When the pages of a method are bundled, and how many fit into one message (U8). */
interface BundleLimit {
  /** Messages with pages that a contact gets within a minute; further pages are bundled. */
  readonly most: number;
  /** Pages that one message can list. */
  readonly size: number;
}

/** A method without a limit has no bundles. */
export type BundleLimits = ReadonlyMap<DeliveryMethod, BundleLimit>;

/** A message with pages that was begun sentAt, and may have reached its contact. */
export interface RecentMessage {
  /** The id of the contact. */
  readonly contact: string;
  readonly at: Date;
  /** Its {@link attemptIdOf}. */
  readonly attempt: string;
}

/** Names one attempt to send a message, by its first delivery. */
export const attemptIdOf = ({ attempts, deliveryId }: Pick<Delivery, 'attempts' | 'deliveryId'>): string =>
  `${deliveryId}:${attempts}`;

/** Whether no provider has accepted an attempt. It does not count towards the limit of its contact (U8), also where its outcome is unknown. */
export const wasNotAccepted = ({ state }: Pick<Delivery, 'state'>): boolean =>
  state === 'waiting' || state === 'failed';

/** The contact of a message with a page, as {@link RecentMessage} names it; undefined of any other message. */
const bundledContactOf = (delivery: Delivery): string | undefined =>
  isPage(delivery) ? delivery.contactId : undefined;

export interface BundleContext {
  /** The messages of the last minute in the queue. */
  readonly recent: readonly RecentMessage[];
  /** Whether the due pages were held until now. */
  readonly wasHeld?: boolean;
  readonly limits: BundleLimits;
  /** Only in a queue of an integration. */
  readonly calling?: CallPeriod | undefined;
  /** Until then no call is begun, and only calls that have waited for too long end. */
  readonly pausedUntil?: Date | undefined;
  readonly now: Date;
}

/** A message counts for one minute, and a page is held for one minute at most. */
export const BUNDLED_WITHIN_MS = 60_000;
/**
 * A queue is held for one contact; pages of the user's other contacts may come meanwhile. A page that has been due for less
 * than this was not held.
 */
const MIN_HELD_MS = 1_000;

interface Choice {
  /** Empty where no delivery is due, or all due ones are held. */
  readonly chosen: readonly Delivery[];
  /** Until then the due pages are held, to be bundled, or the receiver of the due calls is not called. */
  readonly heldUntil?: Date;
}

/**
 * Chooses the deliveries of a queue that are sent next, as one message. `due` has the due deliveries, in sending order. It does not
 * read their content.
 *
 * Up to a limit pages go out one by one. Once a contact has had so many within a minute, further pages are held until the
 * minute is over and then sent as one message. If more pages than the limit are due at the same time, they are sent as one
 * message at once. Never held are the first page of a P1, a page that was tried before, as many pages as fill a message, and messages that
 * are not pages (U8).
 */
export function chooseNext(due: readonly Delivery[], context: BundleContext): Choice {
  const calls = due.filter(isWebhook);
  return calls.length > 0 ? chooseCalls(calls, context) : chooseMessage(due, context);
}

/** One call, or all that have waited for their receiver for too long, which fail. */
function chooseCalls(due: readonly WebhookDelivery[], { calling, now, pausedUntil }: BundleContext): Choice {
  const late = due.filter((each) => hasWaitedTooLong(each, calling, now));
  if (late.length > 0) return { chosen: late };
  return pausedUntil === undefined ? { chosen: due.slice(0, 1) } : { chosen: [], heldUntil: pausedUntil };
}

function chooseMessage(due: readonly Delivery[], context: BundleContext): Choice {
  const held = new Map<string, Date>();
  for (const delivery of due) {
    const limit = isPage(delivery) && delivery.byItself !== true ? context.limits.get(delivery.method) : undefined;
    if (limit === undefined) return { chosen: [delivery] };
    const group = groupOf(delivery);
    if (held.has(group)) continue;
    const ofGroup = due.filter((each) => isPage(each) && each.byItself !== true && groupOf(each) === group);
    const { chosen, heldUntil } = chooseOfGroup(delivery, ofGroup, limit, context);
    if (heldUntil === undefined) return { chosen };
    held.set(group, heldUntil);
  }
  const until = [...held.values()].toSorted((one, other) => one.getTime() - other.getTime());
  return { chosen: [], ...(until[0] && { heldUntil: until[0] }) };
}

/** How many pages one transaction begins at most: it locks the queues of their users while it runs. */
const MAX_BEGUN = 300;

/**
 * The choices that are begun in one transaction: the first, and the smallest of the others, up to the limit. The rest waits for
 * another transaction.
 */
export function limitToTransaction<C extends { readonly chosen: readonly unknown[] }>(
  choices: readonly C[],
): readonly C[] {
  const [first, others] = [choices.slice(0, 1), choices.slice(1)];
  let pages = 0;
  return [...first, ...others.toSorted((one, other) => one.chosen.length - other.chosen.length)].filter(
    ({ chosen }, index) => {
      pages += chosen.length;
      return pages <= MAX_BEGUN || index === 0;
    },
  );
}

/** Pages of one message go to one contact by one provider. An interrupted message is sent again with the same pages. */
const groupOf = (delivery: Delivery): string =>
  delivery.state === 'sending'
    ? `interrupted ${delivery.bundle?.id ?? delivery.deliveryId}`
    : JSON.stringify([bundledContactOf(delivery), delivery.refusedBy ?? []]);

function chooseOfGroup(
  first: Delivery,
  waiting: readonly Delivery[],
  { most, size }: BundleLimit,
  { now, recent, wasHeld = false }: BundleContext,
): Choice {
  if (first.state === 'sending') return { chosen: waiting };
  const sentAt = recentTimes(first, recent, now);
  const oldestAt = Math.min(...waiting.map(({ dueAt }) => dueAt.getTime()));
  // The queue may have been held for another contact.
  const wasHeldLongEnough = wasHeld && oldestAt <= now.getTime() - MIN_HELD_MS;
  if (!wasHeldLongEnough && sentAt.length + waiting.length <= most) return { chosen: [first] };
  const heldUntilAt = sentAt.length < most ? -Infinity : heldUntil(sentAt.slice(-most), oldestAt);
  if (heldUntilAt <= now.getTime() || waiting.length >= size) return { chosen: waiting.slice(0, size) };
  const neverHeld = waiting.filter(isNeverHeld);
  if (neverHeld.length > 0) return { chosen: neverHeld.slice(0, size) };
  return { chosen: [], heldUntil: new Date(heldUntilAt) };
}

/** The instant at which the first of the messages is a minute old, or the oldest page has waited for a minute, the earlier of both. */
const heldUntil = ([firstAt = -Infinity]: readonly number[], oldestAt: number): number =>
  Math.min(firstAt, oldestAt) + BUNDLED_WITHIN_MS;

/** The times of the messages that the contact of a page had in the last minute, the oldest first. */
function recentTimes(page: Delivery, recent: readonly RecentMessage[], now: Date): readonly number[] {
  const contact = bundledContactOf(page);
  return recent
    .filter((each) => each.contact === contact && Math.abs(now.getTime() - each.at.getTime()) < BUNDLED_WITHIN_MS)
    .map(({ at }) => at.getTime())
    .toSorted((one, other) => one - other);
}

/** Whether a page is sent when it is due, over any limit. */
const isNeverHeld = (delivery: Delivery): boolean =>
  triesOf(delivery) > 0 || delivery.refusedBy !== undefined || rankOf(delivery) === FIRST_OF_P1;

/** The {@link rankOf} of the first page of a P1. */
const FIRST_OF_P1 = 0;

/** The checked deliveries of queues: those of one queue that the check has begun are one message. */
export function beginResultOf(
  checked: readonly { readonly queue: ClaimedQueue; readonly changes: readonly DeliveryChange[] }[],
): BeginResult {
  const begun = checked.flatMap(({ changes, queue }): readonly BegunMessage[] => {
    const [first, ...others] = changes.map(({ delivery }) => delivery).filter((delivery) => !isFinal(delivery));
    return first === undefined ? [] : [{ queue, delivery: first, ...(others.length > 0 && { others }) }];
  });
  const ended = checked.flatMap(({ changes }) => changes.map(({ delivery }) => delivery).filter(isFinal));
  return { begun, ended };
}

/** The begun messages as queues keep them for a minute: none of methods whose pages are never bundled. */
export const recentMessages = (
  begun: readonly BegunMessage[],
  limits: BundleLimits,
  at: Date,
): ReadonlyMap<string, RecentMessage> =>
  new Map(
    begun.flatMap(({ delivery, queue }) => {
      const contact = limits.has(delivery.method) ? bundledContactOf(delivery) : undefined;
      return contact === undefined ? [] : [[queue.id, { contact, at, attempt: attemptIdOf(delivery) }] as const];
    }),
  );

/** Begun messages by whether the lease of their queue lasts long enough for a hand-over. */
interface LeaseSplit {
  readonly toHandOver: readonly BegunMessage[];
  /** The transaction that began these took too long: another process may have their queues before they are sent. */
  readonly late: readonly BegunMessage[];
}

export function splitByLease(
  begun: readonly BegunMessage[],
  leases: { readonly mayHandOver: (queue: ClaimedQueue) => boolean },
): LeaseSplit {
  const { late = [], toHandOver = [] } = Object.groupBy(begun, ({ queue }) =>
    leases.mayHandOver(queue) ? 'toHandOver' : 'late',
  );
  return { toHandOver, late };
}
