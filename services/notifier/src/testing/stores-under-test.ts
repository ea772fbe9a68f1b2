import type { ConsumedBatch, Decision, VerificationEvent } from '@tocsin/contracts';
import { begun } from '../domain/attempts.ts';
import type { PageDelivery } from '../domain/delivery.ts';
import type { AlertStandings } from '../ports/alert-standings.ts';
import {
  noSlots,
  type Decide,
  type DeliveryStore,
  type Slots,
  type TakenDelivery,
  type Turn,
} from '../ports/delivery-store.ts';
import type { ReceiptStore } from '../ports/receipt-store.ts';
import type { ExpandedPage, ExpandRepetition, FlowStore } from '../ports/flow-store.ts';

/** The stores over one database, and what is done when something is due. */
export interface StoresUnderTest {
  readonly flows: FlowStore;
  readonly deliveries: DeliveryStore;
  readonly standings: AlertStandings;
  readonly receipts: ReceiptStore;
  /** Claims the turns of all for whom something is due at `at` or before. */
  readonly claim: (at: Date) => Promise<readonly Turn[]>;
  /** Lets the leases of all turns pass that are held, as if their holders had died. */
  readonly expire: () => Promise<void>;
  /** Repeats the steps of pages that are due at `at` or before. */
  readonly repeatDue: (at: Date, expand: ExpandRepetition) => Promise<void>;
  readonly decisions: () => Promise<readonly Decision[]>;
  readonly verifications: () => Promise<readonly VerificationEvent[]>;
  /** All that is kept, but for decisions that are on their way, as text. */
  readonly kept: () => Promise<string>;
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

/** A process without room: whatever is inserted waits for its turn. */
export const NO_SLOTS: Slots = noSlots(new Date(0));

/** Slots for messages that are inserted a millisecond before {@link LATER}; `started` has what was decided and committed. */
export function slotsFor(
  free: number,
  decide: Decide = (delivery) => ({ delivery: begun(delivery) }),
): Slots & { readonly started: readonly TakenDelivery[] } {
  const started: TakenDelivery[] = [];
  return {
    free,
    freeFor: () => free,
    now: new Date(LATER.getTime() - 1),
    decide,
    start: (decided) => started.push(...decided),
    started,
  };
}

/** Sends everything that is due at `at`, one turn after the other; answers the ids in their order. */
export async function sendAll(store: DeliveryStore, at: Date): Promise<readonly string[]> {
  const sent: string[] = [];
  for (let turns = await store.claim(at, 100); turns.length > 0; turns = await store.claim(at, 100)) {
    const taken = await store.begin(turns, at, (delivery) => ({ delivery: begun(delivery) }));
    sent.push(...taken.map(({ delivery }) => delivery.deliveryId));
    await store.conclude(
      taken.map(({ delivery, turn }) => ({ turn, delivery: { ...delivery, state: 'sent' } })),
      at,
    );
  }
  return sent;
}

export const LATER = new Date('2026-01-01T01:00:00Z');
