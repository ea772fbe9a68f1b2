import { checkTogether } from '../messages/bundle.ts';
import { type Delivery, isFinal } from '../messages/delivery.ts';
import type { DeliveryChange, Slots } from './message-result.ts';
import { type BundleContext, type BundleLimits, type RecentMessage, chooseNext } from './next-message.ts';
import { comesBefore, queueIdOf } from './recipient-queue.ts';

/** The checked deliveries of a queue. Those that are not final are sent as one message. */
interface CheckResult<C> {
  readonly changes: readonly C[];
  /** Nothing is sent until then: the due pages are held. */
  readonly heldUntil?: Date;
}

/** Chooses the next message of a queue and checks it. Where the check drops it, chooses again among the rest. */
export function chooseAndCheck<C extends { readonly delivery: Delivery }>(
  due: readonly Delivery[],
  context: BundleContext,
  check: (delivery: Delivery) => C,
): CheckResult<C> {
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
  /** Queue id -> the messages that were begun in it sentAt. */
  readonly recent: ReadonlyMap<string, readonly RecentMessage[]>;
  readonly limits: BundleLimits;
}

/**
 * The new messages that are due, by queue, in sending order. Only queues of `idle` count: no process has their lease, and
 * no other message is due in them.
 */
export function dueInIdleQueues(
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
  const fitting = [...byMethod].flatMap(([method, ofMethod]) =>
    method === undefined || method === 'webhook' ? [] : ofMethod.slice(0, freeFor(method)),
  );
  return new Map(
    fitting.slice(0, free).map(([queue, ofQueue]) => {
      const context = { recent: recent.get(queue) ?? [], limits, now };
      return [queue, chooseAndCheck(ofQueue, context, check).changes];
    }),
  );
}
