import { checkTogether } from '../messages/bundle.ts';
import { triesOf } from '../messages/attempts.ts';
import {
  type Delivery,
  type DeliveryMethod,
  isFinal,
  isPage,
  isWebhook,
  type WebhookDelivery,
} from '../messages/delivery.ts';
import {
  comesBefore,
  type DeliveryChange,
  rankOf,
  type Slots,
  type BeginResult,
  type BegunMessage,
  type ClaimedQueue,
  queueIdOf,
} from './recipient-queue.ts';
import { type CallPeriod, hasWaitedTooLong } from '../webhooks/webhook-delivery.ts';

/** When the pages of a method are bundled, and how many fit into one message (U8). */
interface BundleLimit {
  /** Messages with pages that a contact gets within a minute; further pages are bundled. */
  readonly most: number;
  /** Pages that one message can list. */
  readonly size: number;
}

/** A method without a limit has no bundles. */
export type BundleLimits = ReadonlyMap<DeliveryMethod, BundleLimit>;

/** A message with pages that was begun lately, and may have reached its contact. */
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

/** The checked deliveries of a queue. Those that are not final are sent as one message. */
interface Checked<C> {
  readonly changes: readonly C[];
  /** Nothing is sent until then: the due pages are held. */
  readonly heldUntil?: Date;
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
    const { chosen, heldUntil } = chooseOf(delivery, ofGroup, limit, context);
    if (heldUntil === undefined) return { chosen };
    held.set(group, heldUntil);
  }
  const until = [...held.values()].toSorted((one, other) => one.getTime() - other.getTime());
  return { chosen: [], ...(until[0] && { heldUntil: until[0] }) };
}

/** Chooses the next message of a queue and checks it. Where the check drops it, chooses again among the rest. */
export function chooseAndCheck<C extends { readonly delivery: Delivery }>(
  due: readonly Delivery[],
  context: BundleContext,
  check: (delivery: Delivery) => C,
): Checked<C> {
  const ended: C[] = [];
  for (let left = due; ;) {
    const { chosen, heldUntil } = chooseNext(left, context);
    if (chosen.length === 0) return { changes: ended, ...(heldUntil && { heldUntil }) };
    const changes = checkTogether(chosen, check);
    if (changes.some(({ delivery }) => !isFinal(delivery))) return { changes: [...ended, ...changes] };
    ended.push(...changes);
    left = left.filter((each) => !chosen.includes(each));
  }
}

/** How many pages one transaction begins at most: it locks the queues of their users while it runs. */
const MAX_BEGUN = 300;

/**
 * The choices that are begun in one transaction: the first, and the smallest of the others, up to the limit. The rest waits for
 * another transaction.
 */
export function begunTogether<C extends { readonly chosen: readonly unknown[] }>(choices: readonly C[]): readonly C[] {
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

function chooseOf(
  first: Delivery,
  waiting: readonly Delivery[],
  { most, size }: BundleLimit,
  { now, recent, wasHeld = false }: BundleContext,
): Choice {
  if (first.state === 'sending') return { chosen: waiting };
  const lately = sentLately(first, recent, now);
  const oldestAt = Math.min(...waiting.map(({ dueAt }) => dueAt.getTime()));
  // The queue may have been held for another contact.
  const waited = wasHeld && oldestAt <= now.getTime() - MIN_HELD_MS;
  if (!waited && lately.length + waiting.length <= most) return { chosen: [first] };
  const heldUntilAt = lately.length < most ? -Infinity : heldUntil(lately.slice(-most), oldestAt);
  if (heldUntilAt <= now.getTime() || waiting.length >= size) return { chosen: waiting.slice(0, size) };
  const pressing = waiting.filter(isNeverHeld);
  if (pressing.length > 0) return { chosen: pressing.slice(0, size) };
  return { chosen: [], heldUntil: new Date(heldUntilAt) };
}

/** The instant at which the first of the messages is a minute old, or the oldest page has waited for a minute, the earlier of both. */
const heldUntil = ([firstAt = -Infinity]: readonly number[], oldestAt: number): number =>
  Math.min(firstAt, oldestAt) + BUNDLED_WITHIN_MS;

/** The times of the messages that the contact of a page had in the last minute, the oldest first. */
function sentLately(page: Delivery, recent: readonly RecentMessage[], now: Date): readonly number[] {
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

/**
 * A transaction commits within 10 s of its `now`, and clocks differ by at most 1 s. A message that becomes due within that time
 * must not be overtaken by a newer one.
 */
const MAX_TRANSACTION_DELAY_MS = 11_000;

/**
 * Whether no process has the lease of a queue, and no message in it is due now or soon. A page that is held for a bundle is not due.
 */
export const isIdle = (
  { isLeased, nextAt }: { readonly isLeased: boolean; readonly nextAt: Date | undefined },
  now: Date,
): boolean => !isLeased && (nextAt === undefined || nextAt.getTime() > now.getTime() + MAX_TRANSACTION_DELAY_MS);

/** The facts by which new messages are begun. */
export interface InsertionContext {
  /** Queue id -> the messages that were begun in it lately. */
  readonly recent: ReadonlyMap<string, readonly RecentMessage[]>;
  readonly limits: BundleLimits;
}

/**
 * The new messages that are due, by queue, in sending order. Only queues of `idle` count: no process has their lease, and
 * no other message is due in them.
 */
export function dueOfIdle(
  deliveries: readonly Delivery[],
  idle: Pick<ReadonlySet<string>, 'has'>,
  now: Date,
): ReadonlyMap<string, readonly Delivery[]> {
  const due = deliveries.filter((each) => each.dueAt <= now && idle.has(queueIdOf(each)));
  return Map.groupBy(due.toSorted(comesBefore), queueIdOf);
}

/**
 * Chooses and checks the first message of each queue before it is inserted, for as many queues as there are slots. Where the check
 * drops that message, it chooses the next one. Pages that are held for a bundle wait in their queue. Returns queue -> changes.
 */
export function beginAtInsertion(
  due: ReadonlyMap<string, readonly Delivery[]>,
  { limits, recent }: InsertionContext,
  { check, free, freeFor, now }: Slots,
): ReadonlyMap<string, readonly DeliveryChange[]> {
  const byMethod = Map.groupBy(due, ([, [first]]) => first?.method);
  const fitting = [...byMethod].flatMap(([method, of]) =>
    method === undefined || method === 'webhook' ? [] : of.slice(0, freeFor(method)),
  );
  return new Map(
    fitting.slice(0, free).map(([queue, ofOne]) => {
      const context = { recent: recent.get(queue) ?? [], limits, now };
      return [queue, chooseAndCheck(ofOne, context, check).changes];
    }),
  );
}
