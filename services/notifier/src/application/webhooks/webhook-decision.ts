import type { Decision, WebhookCommand, WebhookSettings } from '@tocsin/contracts';
import type { WebhookDelivery, WebhookOutcome } from '../../domain/webhooks/webhook-delivery.ts';

/**
 * What the log of the alert says of a delivery: how it ended, and after its first failure that it is tried again. Undefined
 * after later failures, and for a deletion, because the log goes with the alert.
 */
export function webhookDecision(
  { attempts, deliveryId, integrationId, told }: WebhookDelivery,
  outcome: WebhookOutcome,
  settings: Pick<WebhookSettings, 'name'> | undefined,
  now: Date,
): Decision | undefined {
  const { action, alertId } = told;
  if (action === 'Delete' || (outcome.kind === 'retrying' && attempts > 0)) return undefined;
  const name = settings?.name ?? integrationId;
  return {
    decisionId: `webhook:${deliveryId}:${outcome.kind}`,
    alertId,
    stage: 'deliver',
    at: now.toISOString(),
    verdicts: [
      {
        subject: 'webhook',
        outcome: outcome.kind,
        text: `The webhook [${name}] ${sentence(outcome, action)}.`,
        facts: { deliveryId, integrationId, integration: name, action, attempts },
      },
    ],
  };
}

function sentence(outcome: WebhookOutcome, action: WebhookCommand['action']): string {
  switch (outcome.kind) {
    case 'told':
      return `was told of ${action}: ${outcome.response}`;
    case 'retrying':
      return `did not take ${action} and is called again for up to 15 minutes: ${outcome.reason}`;
    case 'failed':
    case 'dropped':
      return `was not told of ${action}: ${outcome.reason}`;
  }
}

/** What the log says of an order to tell integrations that fails for ever, and is a dead letter now. */
export function buriedWebhook({ action, alertId, commandId }: WebhookCommand, reason: string, now: Date): Decision {
  return {
    decisionId: `buried:webhook:${commandId}`,
    alertId,
    stage: 'deliver',
    at: now.toISOString(),
    verdicts: [
      {
        subject: 'webhook',
        outcome: 'buried',
        text: `Webhooks cannot be told of ${action}, which is a dead letter: ${reason}.`,
        facts: { commandId },
      },
    ],
  };
}
