import type { ConsumedBatch } from '@tocsin/events';
import { beginAttempt } from '../messages/attempts.ts';
import type { Delivery, PageDelivery } from '../messages/delivery.ts';
import type { ExpandedPage } from '../pages/expanded-page.ts';
import type { DeliveryStore } from '../queue/delivery-store.ts';
import { type BegunMessage, type Check, noSlots, type Slots } from '../queue/message-result.ts';

export const batch = <T>(topic: string, values: readonly T[], firstOffset = 0): ConsumedBatch<T> => ({
  topic,
  partition: 0,
  clusterId: 'c1',
  records: values.map((value, index) => ({ offset: firstOffset + index, key: 'k', timestampMs: 1, value })),
});

/** The result of a page with one delivery. */
export const expanded = (delivery: PageDelivery, change: Partial<ExpandedPage> = {}): ExpandedPage => ({
  deliveries: [delivery],
  next: undefined,
  decision: {
    decisionId: `page:${delivery.deliveryId}`,
    alertId: delivery.page.alertId,
    stage: 'page',
    at: delivery.page.pagedAt,
    findings: [{ subject: 'step', outcome: 'scheduled', text: 'by e-mail' }],
  },
  ...change,
});

/** For a batch that has no page. */
export const expandNothing = (): never => {
  throw new Error('the batch has a page');
};

/** No slots: each inserted message waits in its queue. */
export const NO_SLOTS: Slots = noSlots(new Date(0));

/** Slots for messages that are inserted a millisecond before {@link LATER}; `begun` and `ended` are those of committed transactions. */
export function slotsFor(
  free: number,
  check: Check = (delivery) => ({ delivery: beginAttempt(delivery) }),
): Slots & { readonly begun: readonly BegunMessage[]; readonly ended: readonly Delivery[] } {
  const begun: BegunMessage[] = [];
  const ended: Delivery[] = [];
  return {
    free,
    freeFor: () => free,
    now: new Date(LATER.getTime() - 1),
    check,
    handOver: (result) => {
      begun.push(...result.begun);
      ended.push(...result.ended);
    },
    begun,
    ended,
  };
}

/** Sends everything that is due at `at`, one queue after the other; answers the ids in their order. */
export async function sendAll(store: DeliveryStore, at: Date): Promise<readonly string[]> {
  const sent: string[] = [];
  for (let queues = await store.claim(at, 100); queues.length > 0; queues = await store.claim(at, 100)) {
    const { begun } = await store.begin(queues, at, (delivery) => ({ delivery: beginAttempt(delivery) }));
    sent.push(...begun.map(({ delivery }) => delivery.deliveryId));
    await store.recordResults(
      begun.map(({ delivery, queue }) => ({ queue, delivery: { ...delivery, state: 'sent' } })),
      at,
    );
  }
  return sent;
}

export const LATER = new Date('2026-01-01T01:00:00Z');
