import type { ConsumedBatch, Decision } from '@tocsin/contracts';
import type { PageDelivery } from '../domain/delivery.ts';
import type { AlertStandings } from '../ports/alert-standings.ts';
import type { Claim, DeliveryStore } from '../ports/delivery-store.ts';
import type { ExpandedPage, FlowStore, RepetitionClaim } from '../ports/flow-store.ts';

/** The stores over one world, and the claims that its timers would hand out. */
export interface StoresUnderTest<C extends Claim, R extends RepetitionClaim> {
  readonly flows: FlowStore<R>;
  readonly deliveries: DeliveryStore<C>;
  readonly standings: AlertStandings;
  /** Claims the deliveries that are due at `at` or before. */
  readonly claim: (at: Date) => Promise<readonly C[]>;
  /** Claims the repetitions that are due at `at` or before. */
  readonly claimRepetitions: (at: Date) => Promise<readonly R[]>;
  readonly decisions: () => Promise<readonly Decision[]>;
}

export const batch = <T>(topic: string, values: readonly T[], firstOffset = 0): ConsumedBatch<T> => ({
  topic,
  partition: 0,
  clusterId: 'c1',
  records: values.map((value, index) => ({ offset: firstOffset + index, key: 'k', timestampMs: 1, value })),
});

/** What a page comes to with one delivery. */
export const expanded = (delivery: PageDelivery, change: Partial<ExpandedPage> = {}): ExpandedPage => ({
  deliveries: [delivery],
  next: undefined,
  decision: {
    decisionId: `page:${delivery.deliveryId}`,
    alertId: delivery.page.alertId,
    stage: 'page',
    at: delivery.page.pagedAt,
    verdicts: [{ subject: 'step', outcome: 'scheduled', text: 'by e-mail' }],
  },
  ...change,
});

export const LATER = new Date('2026-01-01T01:00:00Z');
