import type { AlertEvent, ConsumedBatch, Decision, Page, Settlement } from '@tocsin/contracts';
import { isFinal, type Delivery } from '../domain/delivery.ts';
import { mayPage, type AlertStanding } from '../domain/wanted.ts';
import type { Claim, DeliveryChange, ExpandedPage, NotificationStore } from '../ports/notification-store.ts';
import { standingOf } from './standing.ts';

const DONE: Settlement = { outcome: 'done' };

/** Keeps everything in memory, for component tests. */
export class MemoryNotificationStore implements NotificationStore<Claim> {
  readonly deliveries = new Map<string, Delivery>();
  readonly decisions: Decision[] = [];
  /** When each delivery that is not final falls due. */
  readonly timers = new Map<string, Date>();
  readonly #pages = new Set<string>();
  readonly #standings = new Map<string, AlertStanding>();

  settlePages(batch: ConsumedBatch<Page>, expand: (page: Page) => ExpandedPage): Promise<Settlement> {
    for (const { value: page } of batch.records) {
      if (this.#pages.has(page.pageId)) continue;
      this.#pages.add(page.pageId);
      const { deliveries, decision } = expand(page);
      for (const delivery of deliveries) {
        this.deliveries.set(delivery.deliveryId, delivery);
        this.timers.set(delivery.deliveryId, delivery.dueAt);
      }
      this.decisions.push(decision);
    }
    return Promise.resolve(DONE);
  }

  settleAlerts(batch: ConsumedBatch<AlertEvent>): Promise<Settlement> {
    for (const { value: event } of batch.records) {
      if (!mayPage(event)) continue;
      const known = this.#standings.get(event.alertId);
      if (known === undefined || known.version < event.version) this.#standings.set(event.alertId, standingOf(event));
    }
    return Promise.resolve(DONE);
  }

  bury(): Promise<Settlement> {
    return Promise.resolve(DONE);
  }

  begin(
    claims: readonly Claim[],
    decide: (delivery: Delivery, standing: AlertStanding | undefined) => DeliveryChange,
  ): Promise<readonly Delivery[]> {
    const changes = claims.flatMap(({ id }) => {
      const delivery = this.deliveries.get(id);
      if (delivery === undefined || isFinal(delivery)) {
        this.timers.delete(id);
        return [];
      }
      return [decide(delivery, this.#standings.get(delivery.page.alertId))];
    });
    for (const change of changes) this.#write(change);
    return Promise.resolve(changes.map(({ delivery }) => delivery));
  }

  conclude(changes: readonly (DeliveryChange & { readonly claim: Claim })[]): Promise<void> {
    for (const change of changes) this.#write(change);
    return Promise.resolve();
  }

  #write({ delivery, retryAt, decision }: DeliveryChange): void {
    this.deliveries.set(delivery.deliveryId, delivery);
    if (decision !== undefined) this.decisions.push(decision);
    if (retryAt !== undefined) this.timers.set(delivery.deliveryId, retryAt);
    else if (isFinal(delivery)) this.timers.delete(delivery.deliveryId);
  }
}
