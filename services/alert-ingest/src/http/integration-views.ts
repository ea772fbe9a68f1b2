import type { Integration, Recipient } from '../domain/integration.ts';

/** An integration as lists and most writes answer it (part 1, 2.4; wire facts 5). */
export function briefView({ id, name, enabled, type, ownerTeam }: Integration): Record<string, unknown> {
  return { id, name, enabled, type, ...(ownerTeam !== undefined && { teamId: ownerTeam.id }) };
}

/** An integration as it is read: both names of what has two (P2), references with id and name (E10). */
export function detailView(integration: Integration): Record<string, unknown> {
  const { ownerTeam } = integration;
  const recipients = integration.recipients.map(recipientView);
  return {
    id: integration.id,
    name: integration.name,
    type: integration.type,
    enabled: integration.enabled,
    ...(ownerTeam !== undefined && { ownerTeam }),
    isGlobal: ownerTeam === undefined,
    isAdvanced: false,
    _readOnly: ['isAdvanced', 'isGlobal'],
    allowWriteAccess: integration.allowWriteAccess,
    allowConfigurationAccess: integration.allowConfigurationAccess,
    ignoreRecipientsFromPayload: integration.ignoreRecipients,
    ignoreTeamsFromPayload: integration.ignoreTeams,
    ignoreRespondersFromPayload: integration.ignoreResponders,
    suppressNotifications: integration.suppressNotifications,
    recipients,
    responders: recipients,
    sendAlertActions: integration.sendAlertActions,
    alertActions: integration.alertActions,
    alertFilter: { conditionMatchType: 'match-all', conditions: [] },
  };
}

function recipientView({ type, target }: Recipient): Record<string, unknown> {
  if (target === undefined) return { type };
  return { type, id: target.id, [type === 'user' ? 'username' : 'name']: target.name };
}
