import { decideNext, type BundleLimits, type RecentMessage } from '../domain/bundle.ts';
import type { Delivery } from '../domain/delivery.ts';
import { comesBefore, turnOf } from '../domain/turn.ts';
import { standingOf, type AlertStanding } from '../domain/wanted.ts';
import type { DeliveryChange, Slots } from '../ports/delivery-store.ts';

/** What is known when messages are inserted. */
export interface InsertionContext {
  readonly standings: ReadonlyMap<string, AlertStanding>;
  /** Turn -> the messages that were begun in it lately. */
  readonly recent: ReadonlyMap<string, readonly RecentMessage[]>;
  readonly limits: BundleLimits;
}

/** New messages that are due, of people whose turn is free and for whom nothing else that is due waits; the first one first. */
export function dueOfIdle(
  deliveries: readonly Delivery[],
  idle: Pick<ReadonlySet<string>, 'has'>,
  now: Date,
): ReadonlyMap<string, readonly Delivery[]> {
  const due = deliveries.filter((each) => each.dueAt <= now && idle.has(turnOf(each)));
  return Map.groupBy(due.toSorted(comesBefore), turnOf);
}

/**
 * Decides about the first message of each person before it is inserted, for as many people as there are slots: turn -> what was
 * decided. Where that one is not to be sent, decides about the next; what is to be held waits for its turn.
 */
export function begunAtInsertion(
  due: ReadonlyMap<string, readonly Delivery[]>,
  { limits, recent, standings }: InsertionContext,
  { decide, free, freeFor, now }: Slots,
): ReadonlyMap<string, readonly DeliveryChange[]> {
  const byMethod = Map.groupBy(due, ([, [first]]) => first?.method);
  const fitting = [...byMethod].flatMap(([method, of]) => (method === undefined ? [] : of.slice(0, freeFor(method))));
  return new Map(
    fitting.slice(0, free).map(([turn, ofOne]) => {
      const context = { recent: recent.get(turn) ?? [], limits, now };
      const decideOne = (delivery: Delivery) => decide(delivery, standingOf(delivery, standings));
      return [turn, decideNext(ofOne, context, decideOne).changes];
    }),
  );
}
