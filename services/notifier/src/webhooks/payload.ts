import type { Responder, WebhookCommand, WebhookSettings } from '@tocsin/events';
import type { WebhookEvent } from '../messages/delivery.ts';

type NamedResponder = WebhookCommand['alert']['responders'][number];

/**
 * The body of a call, in the shape that receivers of the original product read (wire facts 5; P12): instants of the alert in
 * milliseconds, its last change in nanoseconds. Under a custom action stands the name of that action.
 */
export function webhookPayload(event: WebhookEvent, settings: WebhookSettings): Readonly<Record<string, unknown>> {
  const { action, alertId, customAction, responder, through } = event;
  const isEscalation = action === 'EscalateToNext' && responder !== undefined;
  return {
    action: action === 'CustomAction' ? (customAction ?? action) : action,
    source: { name: through.name, type: through.type },
    integrationId: settings.id,
    integrationName: settings.name,
    integrationType: settings.type,
    ...(isEscalation && { escalationId: responder.id, escalationName: nameOf(responder) }),
    alert: { alertId, ...contentOf(event, settings), ...changeOf(event) },
  };
}

function contentOf({ actor, alert }: WebhookEvent, { addAlertDescription, addAlertDetails }: WebhookSettings) {
  const { createdAt, description, details, owner, responders, updatedAt, ...plain } = alert;
  const recipients = responders.filter(({ type }) => type !== 'team');
  return {
    ...plain,
    ...(owner !== '' && { owner }),
    username: actor,
    createdAt: Date.parse(createdAt),
    updatedAt: Date.parse(updatedAt) * 1_000_000,
    teams: responders.filter(isTeam).map(nameOf),
    recipients: recipients.map(nameOf),
    responders,
    ...(addAlertDescription && { description }),
    ...(addAlertDetails && { details }),
  };
}

/** The fields that are known from the change alone. */
function changeOf({ action, note, responder, snoozedUntil, tags = [] }: WebhookEvent) {
  return {
    ...(note !== undefined && { note }),
    ...(action === 'AddTags' && { addedTags: tags.join(',') }),
    ...(action === 'RemoveTags' && { removedTags: tags.join(',') }),
    ...(action === 'AddTeam' && responder !== undefined && { team: nameOf(responder) }),
    ...(action === 'AddRecipient' && responder !== undefined && { recipient: nameOf(responder) }),
    ...(snoozedUntil !== undefined && { snoozedUntil: Date.parse(snoozedUntil) }),
  };
}

const isTeam = ({ type }: Responder): boolean => type === 'team';

const nameOf = ({ id, name }: NamedResponder): string => name ?? id;
