import type { WebhookCommand } from '@tocsin/events';
import { beginAttempt, applyResult, type Outcome, type SendResult, tryPeriodOf } from '../messages/attempts.ts';
import { markFailed, UNTRIED, type WebhookDelivery } from '../messages/delivery.ts';

/** The result of a batch of commands. */
export interface PlannedWebhooks {
  /** In the order of the commands. */
  readonly deliveries: readonly WebhookDelivery[];
  /** The ids of calls whose alert is deleted in the same batch. Only the ids are stored, so that a repeat has no effect. */
  readonly erased: ReadonlySet<string>;
  /** The alerts that are deleted, with the version in which they were: earlier calls are erased (A6). */
  readonly deleted: ReadonlyMap<string, number>;
}

/** The id of the call of an integration that a command asks for. */
export const webhookIdOf = (commandId: string, integrationId: string): string => `${commandId}:${integrationId}`;

/**
 * One delivery for each integration that is to be notified, each once, also where its command comes twice in the batch. `isChat`: whether
 * an integration is a channel of chat.
 */
export function planWebhooks(
  commands: readonly WebhookCommand[],
  now: Date,
  isChat: (integrationId: string) => boolean = () => false,
): PlannedWebhooks {
  const deliveries = new Map<string, WebhookDelivery>();
  const deleted = new Map<string, number>();
  for (const { integrationIds, ...event } of commands) {
    if (event.action === 'Delete') deleted.set(event.alertId, event.version);
    for (const integrationId of integrationIds) {
      const deliveryId = webhookIdOf(event.commandId, integrationId);
      const webhook = { ...event, integrationId, ...(isChat(integrationId) && { isChat: true as const }) };
      deliveries.set(deliveryId, { deliveryId, method: 'webhook', dueAt: now, ...UNTRIED, webhook });
    }
  }
  const all = [...deliveries.values()];
  const erased = all.filter(({ webhook }) => webhook.version < (deleted.get(webhook.alertId) ?? 0));
  return { deliveries: all, erased: new Set(erased.map(({ deliveryId }) => deliveryId)), deleted };
}

/** The delivery with its next attempt, or failed where it has waited for its receiver for too long. */
export const beginOrFail = (delivery: WebhookDelivery, calling: CallPeriod | undefined, now: Date): WebhookDelivery =>
  hasWaitedTooLong(delivery, calling, now)
    ? markFailed(delivery, `it was not taken in ${tryPeriodOf(delivery).text}`)
    : beginAttempt(delivery, now);

/**
 * The change of a delivery by a call. It is tried again for its {@link tryPeriodOf}, also where it is not known whether the receiver accepted it:
 * the receiver recognises a repeat by the id of the delivery. `jitter` is from 0 up to but not including 1.
 */
export const afterCall = (
  delivery: WebhookDelivery,
  result: SendResult,
  now: Date,
  jitter: number,
): Outcome<WebhookDelivery> =>
  applyResult(delivery, result.kind === 'unknown' ? { ...result, kind: 'temporary' } : result, now, jitter);

/**
 * A period in which processes called a receiver, or postponed a call because of its health. It ends after {@link MAX_GAP_MS} without
 * either.
 */
export interface CallPeriod {
  readonly since: Date;
  readonly lastAt: Date;
}

/** Far longer than the longest pause after a failed call. In a longer gap the notifier was unavailable, or had nothing to send. */
export const MAX_GAP_MS = 5 * 60_000;

/**
 * Whether a call has waited for its {@link tryPeriodOf} because its receiver fails or is slow: processes have called the receiver all that
 * time. A call that waited because Tocsin was unavailable is tried for longer.
 */
export function hasWaitedTooLong(delivery: WebhookDelivery, calling: CallPeriod | undefined, now: Date): boolean {
  if (calling === undefined || now.getTime() - calling.lastAt.getTime() >= MAX_GAP_MS) return false;
  const waitsSince = Math.max(delivery.dueAt.getTime(), calling.since.getTime());
  return now.getTime() - waitsSince >= tryPeriodOf(delivery).ms;
}
