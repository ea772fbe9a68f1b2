import type { Decision, WebhookCommand } from '@tocsin/events';
import { triesOf, tryPeriodOf } from '../messages/attempts.ts';
import type { WebhookDelivery } from '../messages/delivery.ts';

const OUTCOMES = {
  waiting: 'retrying',
  sending: 'retrying',
  sent: 'accepted',
  delivered: 'accepted',
  failed: 'failed',
  dropped: 'dropped',
  'held-back': 'held-back',
} as const satisfies Record<WebhookDelivery['state'], string>;

/**
 * The log entry of a call: how it ended, or that it is tried again. Undefined for a deletion, which also removes the log, and for an update that was shown. `name` is
 * that of the integration, where it is known.
 */
export function webhookDecision(delivery: WebhookDelivery, name: string | undefined, now: Date): Decision | undefined {
  const { deliveryId, webhook } = delivery;
  const { action, alertId, integrationId, isChat } = webhook;
  if (action === 'Delete') return undefined;
  const outcome = OUTCOMES[delivery.state];
  if (action === 'Update' && outcome === 'accepted') return undefined;
  const integration = name ?? integrationId;
  return {
    decisionId: `webhook:${deliveryId}:${outcome}`,
    alertId,
    stage: 'deliver',
    at: now.toISOString(),
    findings: [
      {
        subject: 'webhook',
        outcome,
        text: `The ${isChat === true ? 'chat channel' : 'webhook'} [${integration}] ${sentence(outcome, delivery)}.`,
        facts: {
          ...{ deliveryId, integrationId, integration, action, attempts: triesOf(delivery) },
          ...(outcome === 'held-back' && { dueAt: delivery.dueAt.toISOString() }),
        },
      },
    ],
  };
}

function sentence(outcome: (typeof OUTCOMES)[WebhookDelivery['state']], delivery: WebhookDelivery): string {
  const { reason = '', webhook } = delivery;
  const { action } = webhook;
  switch (outcome) {
    case 'accepted':
      return `accepted ${action}: ${reason}`;
    case 'retrying':
      return `has not accepted ${action} yet and is called again for up to ${tryPeriodOf(delivery).text}: ${reason}`;
    case 'held-back':
      return `was not notified of ${action}: ${reason}`;
    case 'failed':
    case 'dropped':
      return `did not accept ${action}: ${reason}`;
  }
}

/** The log entry of a command for webhooks that is a dead letter now. */
export function webhookDeadLetterDecision(
  { action, alertId, commandId }: WebhookCommand,
  reason: string,
  now: Date,
): Decision {
  return {
    decisionId: `dead-letter:webhook:${commandId}`,
    alertId,
    stage: 'deliver',
    at: now.toISOString(),
    findings: [
      {
        subject: 'webhook',
        outcome: 'dead-letter',
        text: `Webhooks cannot be called for ${action}, which is a dead letter: ${reason}.`,
        facts: { commandId },
      },
    ],
  };
}
