import type { IndexPlan } from '@tocsin/persistence';
import type { CallPeriod } from '../../domain/webhooks/call-period.ts';
import type { Told, WebhookDelivery } from '../../domain/webhooks/webhook-delivery.ts';

export const WEBHOOK_DELIVERIES = 'webhook_deliveries';
export const WEBHOOK_TURNS = 'webhook_turns';

/** What a turn of an integration has besides what every turn has. */
export interface WebhookTurnDocument {
  readonly _id: string;
  readonly token: string | null;
  readonly calling?: CallPeriod;
}

/** A delivery. While it waits it has a queue; once it came to its end, no word of its alert. */
export interface WebhookDocument {
  readonly _id: string;
  readonly alertId: string;
  readonly version: number;
  /** The integration in whose turns it waits. */
  readonly queue?: string;
  readonly nextAt?: Date;
  readonly dueAt?: Date;
  readonly attempts?: number;
  readonly told?: Told;
  readonly endedAt?: Date;
}

const waiting = { partialFilterExpression: { queue: { $exists: true } } };

export const webhookIndexes: readonly IndexPlan[] = [
  {
    collection: WEBHOOK_TURNS,
    keys: { leaseUntil: 1, nextAt: 1 },
    serves: 'claims (free turns of integrations of which something is due) and the end of leases that passed',
  },
  {
    collection: WEBHOOK_DELIVERIES,
    keys: { queue: 1, dueAt: 1, version: 1, _id: 1 },
    options: waiting,
    serves: 'what an integration is told next, and what has waited for too long',
  },
  {
    collection: WEBHOOK_DELIVERIES,
    keys: { queue: 1, nextAt: 1 },
    options: waiting,
    serves: 'when an integration is told next, and of which alerts something is tried later',
  },
  {
    collection: WEBHOOK_DELIVERIES,
    keys: { alertId: 1, version: 1 },
    options: waiting,
    serves: 'what waits of an alert that is deleted',
  },
  {
    collection: WEBHOOK_DELIVERIES,
    keys: { endedAt: 1 },
    options: { partialFilterExpression: { endedAt: { $exists: true } } },
    serves: 'the removal of deliveries that came to their end long ago',
  },
];

export function fromWebhook(
  { attempts, deliveryId, dueAt, integrationId, told }: WebhookDelivery,
  isErased: boolean,
): WebhookDocument {
  const known = { _id: deliveryId, alertId: told.alertId, version: told.version };
  if (isErased) return { ...known, endedAt: dueAt };
  return { ...known, queue: integrationId, nextAt: dueAt, dueAt, attempts, told };
}

export function toWebhook({ _id, attempts = 0, dueAt, queue, told }: WebhookDocument): readonly WebhookDelivery[] {
  if (queue === undefined || told === undefined || dueAt === undefined) return [];
  return [{ deliveryId: _id, integrationId: queue, attempts, dueAt, told }];
}
