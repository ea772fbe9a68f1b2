import type { Responder, WebhookCommand } from '@tocsin/contracts';
import { alertContent } from '../alert.ts';
import type { Happening } from './happening.ts';
import type { WebhookContext } from './webhook-rules.ts';

type Names = Pick<WebhookContext, 'nameOf'>;

/** The command to tell `integrationIds` of what happened. */
export function webhookCommand(happening: Happening, integrationIds: readonly string[], names: Names): WebhookCommand {
  const { action, alert, cause, responder, ...more } = happening;
  const { id, name, type } = cause.integration;
  const named = (one: Responder) => ({ ...one, name: names.nameOf(one.type, one.id) });
  return {
    ...more,
    commandId: commandIdOf(happening),
    alertId: alert.id,
    version: alert.version,
    action,
    integrationIds: [...integrationIds],
    actor: cause.actor,
    through: { id, name, type },
    at: cause.acceptedAt,
    ...(responder && { responder: named(responder) }),
    alert: {
      ...alertContent(alert),
      updatedAt: alert.updatedAt.toISOString(),
      responders: alert.responders.map(named),
    },
  };
}

/** Deterministic. It names the responder that joined, because one request may add several. */
function commandIdOf({ action, cause: { requestId }, responder }: Happening): string {
  const joins = action === 'AddTeam' || action === 'AddRecipient';
  return joins && responder !== undefined
    ? `${requestId}:${action}:${responder.type}:${responder.id}`
    : `${requestId}:${action}`;
}
