import { HIDDEN, type Criteria } from '@tocsin/contracts';
import type { Principal } from '@tocsin/key-auth';
import type { IgnoreFlags } from '../domain/ignore-flags.ts';
import type { Integration } from '../domain/integration.ts';
import { isAdvanced } from '../domain/integration-action.ts';
import type { IntegrationContent } from '../domain/integration-content.ts';
import type { Recipient } from '../domain/recipient.ts';

/** An integration as lists and most writes answer it (part 1, 2.4; wire facts 5). */
export function briefView({ id, name, enabled, type, ownerTeam }: Integration): Record<string, unknown> {
  return { id, name, enabled, type, ...(ownerTeam !== undefined && { teamId: ownerTeam.id }) };
}

/** As `briefView`; of an e-mail integration also where mail goes to (part 1, 2.4). */
export function writtenView(integration: Integration, emailDomain: string): Record<string, unknown> {
  return { ...briefView(integration), ...emailAddress(integration, emailDomain) };
}

/**
 * An integration as it is read: both names of what has two (P2), references with id and name (E10). Where the reader may not write
 * it, what may be a secret of its webhook is hidden (K10).
 */
export function detailView(
  integration: Integration,
  emailDomain: string,
  { mayWrite }: Pick<Principal, 'mayWrite'>,
): Record<string, unknown> {
  const { ownerTeam } = integration;
  const recipients = integration.recipients.map(recipientView);
  return {
    id: integration.id,
    name: integration.name,
    type: integration.type,
    enabled: integration.enabled,
    ...(ownerTeam !== undefined && { ownerTeam }),
    isGlobal: ownerTeam === undefined,
    isAdvanced: isAdvanced(integration.actions),
    _readOnly: ['isAdvanced', 'isGlobal'],
    allowWriteAccess: integration.allowWriteAccess,
    allowConfigurationAccess: integration.allowConfigurationAccess,
    ...ignoreView(integration),
    ...contentView(integration.content),
    suppressNotifications: integration.suppressNotifications,
    recipients,
    responders: recipients,
    sendAlertActions: integration.sendAlertActions,
    alertActions: integration.alertActions,
    alertFilter: filterView(integration.alertFilter),
    ...emailView(integration, emailDomain),
    ...webhookView(integration, mayWrite),
  };
}

/** Both spellings, in step, so that what is sent back means the same. */
export function ignoreView({ ignoreRecipients, ignoreTeams, ignoreResponders }: IgnoreFlags): Record<string, unknown> {
  return {
    ignoreRecipientsFromPayload: ignoreRecipients,
    ignoreTeamsFromPayload: ignoreTeams,
    ignoreRespondersFromPayload: ignoreResponders || (ignoreRecipients && ignoreTeams),
  };
}

function contentView(content: IntegrationContent): Record<string, unknown> {
  const { assignedTeam, priority, customPriority, tags, extraProperties } = content;
  return {
    ...(assignedTeam !== undefined && { assignedTeam }),
    ...(priority !== undefined && { priority }),
    ...(customPriority !== undefined && { customPriority }),
    tags,
    extraProperties: Object.fromEntries(extraProperties),
    ignoreTagsFromPayload: content.ignoreTags,
    ignoreExtraPropertiesFromPayload: content.ignoreExtraProperties,
  };
}

/** A filter as it was written; clients read `conditionMatchType` and `conditions` whatever was written (P2; wire facts 7.4). */
export function filterView({ written }: Criteria): Record<string, unknown> {
  const { type, conditionMatchType, conditions = [] } = written;
  return { conditionMatchType: conditionMatchType ?? type, conditions };
}

function emailAddress({ emailUsername }: Integration, domain: string): Record<string, unknown> {
  return emailUsername === undefined ? {} : { emailAddress: `${emailUsername}@${domain}` };
}

function emailView(integration: Integration, domain: string): Record<string, unknown> {
  const { emailUsername } = integration;
  return emailUsername === undefined ? {} : { emailUsername, ...emailAddress(integration, domain) };
}

function webhookView({ webhook }: Integration, mayWrite: boolean): Record<string, unknown> {
  if (webhook === undefined) return {};
  const headers = webhook.headers.map(([name, value]) => [name, mayWrite ? value : HIDDEN] as const);
  const url = mayWrite ? webhook.url : `${new URL(webhook.url).origin}/${HIDDEN}`;
  return { ...webhook, url, headers: Object.fromEntries(headers) };
}

export function recipientView({ type, target }: Recipient): Record<string, unknown> {
  if (target === undefined) return { type };
  return { type, id: target.id, [type === 'user' ? 'username' : 'name']: target.name };
}
