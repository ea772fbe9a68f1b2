import { isFinal, type Delivery } from '../domain/delivery.ts';
import { comesBefore, turnOf } from '../domain/turn.ts';
import type { AlertStanding } from '../domain/wanted.ts';
import type { DeliveryChange, Slots } from '../ports/delivery-store.ts';
import { alertIdOf } from './delivery-document.ts';

/** New messages that are due, of people whose turn is free and for whom nothing else that is due waits; the first one first. */
export function dueOfIdle(
  deliveries: readonly Delivery[],
  idle: ReadonlySet<string>,
  now: Date,
): ReadonlyMap<string, readonly Delivery[]> {
  const due = deliveries.filter((each) => each.dueAt <= now && idle.has(turnOf(each)));
  return Map.groupBy(due.toSorted(comesBefore), turnOf);
}

/**
 * Decides about the first message of each person before it is inserted, for as many people as there are slots. Where that one is
 * not to be sent, decides about the next.
 */
export function begunAtInsertion(
  due: ReadonlyMap<string, readonly Delivery[]>,
  standings: ReadonlyMap<string, AlertStanding>,
  { decide, free, freeFor }: Slots,
): readonly DeliveryChange[] {
  const byMethod = Map.groupBy(due.values(), ([first]) => first?.method);
  const fitting = [...byMethod].flatMap(([method, of]) => (method === undefined ? [] : of.slice(0, freeFor(method))));
  return fitting.slice(0, free).flatMap((ofOne) => {
    const changes: DeliveryChange[] = [];
    for (const delivery of ofOne) {
      const change = decide(delivery, standings.get(alertIdOf(delivery) ?? ''));
      changes.push(change);
      if (!isFinal(change.delivery)) break;
    }
    return changes;
  });
}
