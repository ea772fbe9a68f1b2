import { decideNext, type BundleLimits, type RecentMessage } from '../domain/next-message.ts';
import type { Delivery } from '../domain/delivery.ts';
import { comesBefore, turnOf } from '../domain/turn.ts';
import { standingOf, type AlertStanding } from '../domain/wanted.ts';
import type { DeliveryChange, Slots } from '../ports/delivery-store.ts';

/**
 * A transaction is committed or given up within 10 s of the instant by which it works, and clocks differ by at most a second.
 * What became due in that time waits as well as what was due before.
 */
const BEHIND_BY_MS = 11_000;

/** Whether nobody holds a turn, and nothing is due in it or about to be. What is held for a bundle is not due. */
export const isIdle = (
  { isLeased, nextAt }: { readonly isLeased: boolean; readonly nextAt: Date | undefined },
  now: Date,
): boolean => !isLeased && (nextAt === undefined || nextAt.getTime() > now.getTime() + BEHIND_BY_MS);

/** What is known when messages are inserted. */
export interface InsertionContext {
  readonly standings: ReadonlyMap<string, AlertStanding>;
  /** Turn -> the messages that were begun in it lately. */
  readonly recent: ReadonlyMap<string, readonly RecentMessage[]>;
  readonly limits: BundleLimits;
}

/**
 * The new messages that are due, by turn, in the order in which they are told. Only turns of `idle` count: nobody holds them,
 * and nothing else is due in them.
 */
export function dueOfIdle(
  deliveries: readonly Delivery[],
  idle: Pick<ReadonlySet<string>, 'has'>,
  now: Date,
): ReadonlyMap<string, readonly Delivery[]> {
  const due = deliveries.filter((each) => each.dueAt <= now && idle.has(turnOf(each)));
  return Map.groupBy(due.toSorted(comesBefore), turnOf);
}

/**
 * Decides about the first message of each turn before it is inserted, for as many turns as there are slots. Where nobody wants
 * that message, it decides about the next one; what is held for a bundle waits for its turn. Answers turn -> what was decided.
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
