import type { WebhookCommand } from '@tocsin/contracts';
import { pauseMs, TRY_FOR_MS, type SendResult } from '../attempts.ts';

/** What an integration is to be told, without whom else is told. */
export type Told = Omit<WebhookCommand, 'integrationIds'>;

/** One integration that is to be told of one thing that happened to an alert. */
export interface WebhookDelivery {
  /** What receivers know it by, however often it comes. */
  readonly deliveryId: string;
  readonly integrationId: string;
  /** How often it was handed over and not taken. */
  readonly attempts: number;
  /** When it came here. */
  readonly dueAt: Date;
  readonly told: Told;
}

/** What becomes of a delivery; the first three are its end. */
export type WebhookOutcome =
  | { readonly kind: 'told'; readonly response: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'dropped'; readonly reason: string }
  | { readonly kind: 'retrying'; readonly reason: string; readonly retryAt: Date };

/** What a batch of commands comes to. */
export interface PlannedWebhooks {
  /** In the order of the commands. */
  readonly deliveries: readonly WebhookDelivery[];
  /** Known by id alone, so that they do nothing when they come again: their alert is deleted in the same batch. */
  readonly erased: ReadonlySet<string>;
  /** The alerts that are deleted, with the version in which they were: what came before that is erased (A6). */
  readonly deleted: ReadonlyMap<string, number>;
}

/** One delivery for each integration that is to be told, each once however often its command comes in the batch. */
export function planWebhooks(commands: readonly WebhookCommand[], now: Date): PlannedWebhooks {
  const deliveries = new Map<string, WebhookDelivery>();
  const deleted = new Map<string, number>();
  for (const { integrationIds, ...told } of commands) {
    if (told.action === 'Delete') deleted.set(told.alertId, told.version);
    for (const integrationId of integrationIds) {
      const deliveryId = `${told.commandId}:${integrationId}`;
      deliveries.set(deliveryId, { deliveryId, integrationId, attempts: 0, dueAt: now, told });
    }
  }
  const all = [...deliveries.values()];
  const gone = all.filter(({ told }) => told.version < (deleted.get(told.alertId) ?? 0));
  return { deliveries: all, erased: new Set(gone.map(({ deliveryId }) => deliveryId)), deleted };
}

/**
 * The waiting deliveries that may be handed over at once: for each alert the one that happened first, in the order in which they came.
 */
export function firstOfEach(waiting: readonly WebhookDelivery[]): readonly WebhookDelivery[] {
  const first = new Map<string, WebhookDelivery>();
  for (const delivery of waiting) {
    const { alertId, version } = delivery.told;
    const held = first.get(alertId);
    if (held === undefined || version < held.told.version) first.set(alertId, delivery);
  }
  return [...first.values()];
}

/**
 * What becomes of a delivery by an answer. It is tried again with growing pauses and jitter, for 15 minutes from `since` on, also
 * where nobody knows whether it was taken: its id tells the receiver. `jitter` is from 0 up to but not including 1.
 */
export function webhookOutcome(
  { attempts, since }: Pick<WebhookDelivery, 'attempts'> & { readonly since: Date },
  result: SendResult,
  now: Date,
  jitter: number,
): WebhookOutcome {
  if (result.kind === 'accepted') return { kind: 'told', response: result.response };
  if (result.kind === 'permanent') return { kind: 'failed', reason: result.reason };
  const retryAt = new Date(now.getTime() + pauseMs(attempts + 1, jitter));
  return retryAt > triesEndAt(since)
    ? { kind: 'failed', reason: `${result.reason} (given up after 15 minutes)` }
    : { kind: 'retrying', reason: result.reason, retryAt };
}

/** No try is made after this. */
export const triesEndAt = (since: Date): Date => new Date(since.getTime() + TRY_FOR_MS);

/** Whatever came at this instant or before has had its time at `now`. */
export const overSince = (now: Date): Date => new Date(now.getTime() - TRY_FOR_MS);
