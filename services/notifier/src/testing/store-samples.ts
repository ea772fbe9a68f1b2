import type { ConsumedBatch } from '@tocsin/events';
import { beginAttempt } from '../messages/attempts.ts';
import type { PageDelivery } from '../messages/delivery.ts';
import type { ExpandedPage } from '../pages/expanded-page.ts';
import type { DeliveryStore } from '../queue/delivery-store.ts';
import { type ClaimedDelivery, type Decide, noSlots, type Slots } from '../queue/recipient-queue.ts';

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

/** Slots for messages that are inserted a millisecond before {@link LATER}; `started` has the committed decisions. */
export function slotsFor(
  free: number,
  decide: Decide = (delivery) => ({ delivery: beginAttempt(delivery) }),
): Slots & { readonly started: readonly ClaimedDelivery[] } {
  const started: ClaimedDelivery[] = [];
  return {
    free,
    freeFor: () => free,
    now: new Date(LATER.getTime() - 1),
    decide,
    start: (decided) => started.push(...decided),
    started,
  };
}

/** Sends everything that is due at `at`, one queue after the other; answers the ids in their order. */
export async function sendAll(store: DeliveryStore, at: Date): Promise<readonly string[]> {
  const sent: string[] = [];
  for (let queues = await store.claim(at, 100); queues.length > 0; queues = await store.claim(at, 100)) {
    const taken = await store.begin(queues, at, (delivery) => ({ delivery: beginAttempt(delivery) }));
    sent.push(...taken.map(({ delivery }) => delivery.deliveryId));
    await store.recordResults(
      taken.map(({ delivery, queue }) => ({ queue, delivery: { ...delivery, state: 'sent' } })),
      at,
    );
  }
  return sent;
}

export const LATER = new Date('2026-01-01T01:00:00Z');
