import type { ConsumedBatch, Decision, Settlement, WebhookCommand } from '@tocsin/contracts';
import type { CallPeriod } from '../domain/webhooks/call-period.ts';
import { firstOfEach, planWebhooks, type WebhookDelivery } from '../domain/webhooks/webhook-delivery.ts';
import type { Turn } from '../ports/delivery-store.ts';
import type { TurnEnd, WebhookChange, WebhookStore } from '../ports/webhook-store.ts';

interface Row {
  readonly delivery: WebhookDelivery;
  readonly nextAt: Date;
}

/** Deliveries to integrations in memory, for component tests. */
export class MemoryWebhookStore implements WebhookStore {
  readonly #waiting = new Map<string, Row>();
  readonly #ended = new Map<string, Date>();
  /** When each integration is told next, as turns know it, and who has its turn. */
  readonly #nextAt = new Map<string, Date>();
  readonly #held = new Map<string, string>();
  readonly #calling = new Map<string, CallPeriod>();
  #claims = 0;
  /** What was written to be published, in order. */
  readonly decisions: Decision[] = [];

  settle(batches: readonly ConsumedBatch<WebhookCommand>[], now: Date): Promise<Settlement> {
    const commands = batches.flatMap(({ records }) => records.map(({ value }) => value));
    const { deleted, deliveries, erased } = planWebhooks(commands, now);
    for (const [id, { delivery }] of this.#waiting)
      if (delivery.told.version < (deleted.get(delivery.told.alertId) ?? 0)) this.#end(id, now);
    for (const delivery of deliveries) {
      const { deliveryId, integrationId } = delivery;
      if (this.#waiting.has(deliveryId) || this.#ended.has(deliveryId)) continue;
      if (erased.has(deliveryId)) this.#ended.set(deliveryId, now);
      else {
        this.#waiting.set(deliveryId, { delivery, nextAt: now });
        const nextAt = this.#nextAt.get(integrationId);
        this.#nextAt.set(integrationId, nextAt !== undefined && nextAt < now ? nextAt : now);
      }
    }
    return Promise.resolve({ outcome: 'done' });
  }

  claim(now: Date, most: number): Promise<readonly Turn[]> {
    const free = [...this.#nextAt].filter(([id, nextAt]) => nextAt <= now && !this.#held.has(id));
    const turns = free
      .toSorted(([, one], [, other]) => one.getTime() - other.getTime())
      .slice(0, most)
      .map(([id]) => ({ id, token: String((this.#claims += 1)) }));
    for (const { id, token } of turns) this.#held.set(id, token);
    return Promise.resolve(turns);
  }

  keep(): Promise<boolean> {
    return Promise.resolve(false);
  }

  release(turns: readonly Turn[]): Promise<void> {
    for (const { id, token } of turns) if (this.#held.get(id) === token) this.#held.delete(id);
    return Promise.resolve();
  }

  due({ id }: Turn, now: Date, most: number): Promise<readonly WebhookDelivery[]> {
    return Promise.resolve(firstOfEach(this.#due(id, now)).slice(0, most));
  }

  calling({ id }: Turn): Promise<CallPeriod | undefined> {
    return Promise.resolve(this.#calling.get(id));
  }

  waiting({ id }: Turn, until: Date, most: number): Promise<readonly WebhookDelivery[]> {
    const deliveries = this.#of(id).map(({ delivery }) => delivery);
    return Promise.resolve(deliveries.filter(({ dueAt }) => dueAt <= until).slice(0, most));
  }

  conclude(turn: Turn, changes: readonly WebhookChange[], { calling, notBefore, now }: TurnEnd): Promise<boolean> {
    if (this.#held.get(turn.id) !== turn.token) return Promise.resolve(false);
    for (const { decision, delivery, outcome } of changes) {
      const held = this.#waiting.get(delivery.deliveryId);
      if (held === undefined) continue;
      if (outcome.kind === 'retrying') {
        const tried = { ...held.delivery, attempts: delivery.attempts + 1 };
        this.#waiting.set(delivery.deliveryId, { delivery: tried, nextAt: outcome.retryAt });
      } else this.#end(delivery.deliveryId, now);
      if (decision !== undefined) this.decisions.push(decision);
    }
    this.#held.delete(turn.id);
    if (calling !== undefined) this.#calling.set(turn.id, calling);
    const dueAt = this.#dueAt(turn.id, now);
    if (dueAt === undefined) this.#nextAt.delete(turn.id);
    else this.#nextAt.set(turn.id, new Date(Math.max(dueAt.getTime(), (notBefore ?? now).getTime())));
    return Promise.resolve(true);
  }

  remove(until: Date): Promise<number> {
    const old = [...this.#ended].filter(([, endedAt]) => endedAt <= until);
    for (const [id] of old) this.#ended.delete(id);
    return Promise.resolve(0);
  }

  /** As if the leases of whoever holds turns had passed. */
  expire(): void {
    this.#held.clear();
  }

  /** When any integration is told next. */
  nextDueAt(): Date | undefined {
    return [...this.#nextAt.values()].toSorted((one, other) => one.getTime() - other.getTime())[0];
  }

  /** All that is kept, but for decisions, as text. */
  kept(): string {
    return JSON.stringify([[...this.#waiting], [...this.#ended]]);
  }

  /** Due deliveries of alerts that have no delivery to be tried later. */
  #due(id: string, now: Date): readonly WebhookDelivery[] {
    const rows = this.#of(id);
    const later = new Set(rows.filter(({ nextAt }) => nextAt > now).map(({ delivery }) => delivery.told.alertId));
    return rows.map(({ delivery }) => delivery).filter(({ told }) => !later.has(told.alertId));
  }

  #dueAt(id: string, now: Date): Date | undefined {
    if (this.#due(id, now).length > 0) return now;
    const later = this.#of(id).filter(({ nextAt }) => nextAt > now);
    return later.toSorted((one, other) => one.nextAt.getTime() - other.nextAt.getTime())[0]?.nextAt;
  }

  #of(id: string): readonly Row[] {
    return [...this.#waiting.values()]
      .filter(({ delivery }) => delivery.integrationId === id)
      .toSorted(
        (one, other) =>
          one.delivery.dueAt.getTime() - other.delivery.dueAt.getTime() ||
          one.delivery.told.version - other.delivery.told.version,
      );
  }

  #end(id: string, at: Date): void {
    this.#waiting.delete(id);
    this.#ended.set(id, at);
  }
}
