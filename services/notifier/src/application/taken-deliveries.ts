import { attemptIdOf, bundledContactOf, type BundleLimits, type RecentMessage } from '../domain/next-message.ts';
import { isFinal } from '../domain/delivery.ts';
import type { DeliveryChange, DeliveryStore, TakenDelivery, Turn } from '../ports/delivery-store.ts';

/** What was decided in a turn: what has come to its end each by itself, and what was begun as one message. */
export function takenOf(turn: Turn, changes: readonly DeliveryChange[]): readonly TakenDelivery[] {
  const deliveries = changes.map(({ delivery }) => delivery);
  const ended = deliveries.filter(isFinal).map((delivery) => ({ turn, delivery }));
  const [first, ...others] = deliveries.filter((delivery) => !isFinal(delivery));
  if (first === undefined) return ended;
  return [...ended, { turn, delivery: first, ...(others.length > 0 && { others }) }];
}

/** What turns remember of messages that are begun in them: nothing of methods whose pages are never bundled. */
export const begunMessages = (
  begun: readonly TakenDelivery[],
  limits: BundleLimits,
  at: Date,
): ReadonlyMap<string, RecentMessage> =>
  new Map(
    begun.flatMap(({ delivery, turn }) => {
      const contact = limits.has(delivery.method) ? bundledContactOf(delivery) : undefined;
      return contact === undefined ? [] : [[turn.id, { contact, at, attempt: attemptIdOf(delivery) }] as const];
    }),
  );

/** What was decided, by whether this process may go on with it. What has come to its end may be told in any case. */
interface Sorted {
  readonly toHandOver: readonly TakenDelivery[];
  /** The transaction that began these took too long: another process may have their turns before they are sent. */
  readonly late: readonly TakenDelivery[];
}

export function sortedByLease(decided: readonly TakenDelivery[], leases: Pick<DeliveryStore, 'mayStart'>): Sorted {
  const { late = [], toHandOver = [] } = Object.groupBy(decided, ({ delivery, turn }) =>
    isFinal(delivery) || leases.mayStart(turn) ? 'toHandOver' : 'late',
  );
  return { toHandOver, late };
}
