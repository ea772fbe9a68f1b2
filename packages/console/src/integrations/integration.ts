import type { Integration, ListedIntegration } from './queries.ts';

/** What an integration does: it has a key for requests or an address for mail, or posts to a URL or in a chat what happens to alerts (P12, P22). */
type IntegrationKind = 'key' | 'mail' | 'webhook' | 'chat';

const CHATS: ReadonlySet<string> = new Set(
  ['Slack', 'SlackApp', 'Mattermost', 'Telegram'].map((type) => type.toLowerCase()),
);
/** Chats that are posted to by the URL of a webhook, which is a secret. */
const URL_CHATS: ReadonlySet<string> = new Set(
  ['Discord', 'MSTeams', 'MSTeamsV2', 'GoogleChat'].map((type) => type.toLowerCase()),
);

/** Whether an integration of this type posts to the webhook of a channel. */
export const isPostedByUrl = (type: string): boolean => URL_CHATS.has(type.toLowerCase());

export function kindOf(type: string): IntegrationKind {
  if (/email$/i.test(type)) return 'mail';
  if (CHATS.has(type.toLowerCase()) || isPostedByUrl(type)) return 'chat';
  return type.toLowerCase() === 'webhook' ? 'webhook' : 'key';
}

/** Whether tools send alerts to it. */
export const takesAlerts = (kind: IntegrationKind): boolean => kind === 'key' || kind === 'mail';

/** The id of the integration that is made at the first start, which stays enabled (K7). */
const DEFAULT_ID = '5f0f5b0e-8c0c-5d3b-9a52-3c9f4f6f7a10';

/** Why an integration cannot be disabled or deleted by any user; undefined where it can. */
export const keptReason = ({ id }: Pick<Integration, 'id'>): string | undefined =>
  id === DEFAULT_ID ? 'It is the integration of the first start, so that the account always has a key.' : undefined;

interface NamedTeam {
  readonly id: string;
  readonly name: string;
}

/** An integration as the list shows it. */
interface IntegrationRow extends ListedIntegration {
  /** Of its team; undefined where it is of the account. */
  readonly teamName: string | undefined;
}

/** The integrations whose name, type or team has the text, by name. */
export function foundIntegrations(
  integrations: readonly ListedIntegration[],
  teams: readonly NamedTeam[],
  text: string,
): readonly IntegrationRow[] {
  const names = new Map(teams.map(({ id, name }) => [id, name]));
  const searched = text.trim().toLowerCase();
  return integrations
    .map((each) => ({ ...each, teamName: each.teamId && (names.get(each.teamId) ?? each.teamId) }))
    .filter(({ name, teamName = '', type }) => `${name} ${type} ${teamName}`.toLowerCase().includes(searched))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

/** The type, the team and the state of an integration in a line. */
export const rowNote = ({ enabled, teamName, type }: IntegrationRow): string =>
  [type, teamName === undefined ? 'no team' : `team ${teamName}`, ...(enabled ? [] : ['disabled'])].join(' · ');

type Facts = readonly (readonly [name: string, text: string])[];

/** A type is the name of the tool that sends, whatever it meant in another product. */
const typeText = (type: string, kind: IntegrationKind): string =>
  kind === 'key' && type.toLowerCase() !== 'api'
    ? `${type}: alerts come in by its key, and nothing is sent to this tool`
    : type;

/** What an integration is, and what it adds to its alerts. */
export function factsOf(integration: Integration): Facts {
  const { enabled, ownerTeam, type } = integration;
  const kind = kindOf(type);
  return [
    ['State', enabled ? 'enabled' : DISABLED[kind]],
    ['Type', typeText(type, kind)],
    ['Team', ownerTeam === undefined ? 'none: it is of the account' : (ownerTeam.name ?? ownerTeam.id)],
    ...(takesAlerts(kind) ? alertFacts(integration, kind) : postFacts(integration, kind)),
  ];
}

const postFacts = (integration: Integration, kind: IntegrationKind): Facts => [
  kind === 'chat' && !isPostedByUrl(integration.type)
    ? ['Posts in', integration.channel ?? 'no channel: it posts nothing']
    : ['Posts to', kind === 'chat' ? webhookText(integration) : (integration.url ?? '')],
  ['Posted', postedText(integration)],
];

/** The rest of the URL is a secret. */
const webhookText = ({ url }: Integration): string =>
  url === undefined ? 'no webhook: it posts nothing' : `a webhook of ${new URL(url).host}`;

function alertFacts(integration: Integration, kind: IntegrationKind): Facts {
  const { emailAddress = '', keepSamples, recipients, suppressNotifications, tags } = integration;
  const priority = priorityText(integration);
  return [
    kind === 'mail' ? ['Address', emailAddress] : ['Its key may', rightsText(integration)],
    ...(kind === 'key' && !keepSamples ? [['Its last requests', 'are not kept'] as const] : []),
    ['Its alerts also go to', recipients.map(recipientText).join(', ') || 'no one else'],
    ...(priority === undefined ? [] : [['Priority where none is given', priority] as const]),
    ...(tags.length === 0 ? [] : [['Tags of its alerts', tags.join(', ')] as const]),
    ...(suppressNotifications ? [['Notifications', 'none: its alerts notify no user'] as const] : []),
  ];
}

/** The priority of alerts that name none: a template goes before. */
export const priorityText = ({
  customPriority,
  priority,
}: Pick<Integration, 'customPriority' | 'priority'>): string | undefined =>
  customPriority ?? (typeof priority === 'string' ? priority : undefined);

const DISABLED: Readonly<Record<IntegrationKind, string>> = {
  key: 'disabled: its key is refused',
  mail: 'disabled: mail to its address is refused',
  webhook: 'disabled: it posts nothing',
  chat: 'disabled: it posts nothing',
};

/** Whether its key can do no more than send requests of tools. */
export const onlySends = ({ allowReadAccess, allowWriteAccess }: Integration): boolean =>
  !allowReadAccess && !allowWriteAccess;

/** What its key may do. */
export function rightsText(integration: Integration): string {
  if (onlySends(integration)) return 'send requests of tools, and read nothing';
  const { allowConfigurationAccess, allowReadAccess, allowWriteAccess } = integration;
  const verbs = [...(allowReadAccess ? ['read'] : []), ...(allowWriteAccess ? ['change'] : [])].join(' and ');
  return `${verbs} alerts${allowConfigurationAccess ? ' and configuration' : ''}`;
}

const postedText = ({ alertActions, sendAlertActions }: Integration): string =>
  sendAlertActions && alertActions.length > 0 ? alertActions.join(', ') : 'nothing: no action is chosen';

/** A recipient of an alert, as a sentence names it. */
export function recipientText(recipient: Integration['recipients'][number]): string {
  if ('username' in recipient) return recipient.username;
  if ('name' in recipient) return `${recipient.type} ${recipient.name}`;
  return recipient.type === 'all' ? 'all users' : 'no one';
}

/** What stops when an integration is disabled or deleted, a sentence each. */
export function lostBy(what: 'disable' | 'delete', { emailAddress = '', type }: Integration): readonly string[] {
  const until = what === 'disable' ? ' until it is enabled again' : '';
  switch (kindOf(type)) {
    case 'key':
      return [
        `Its key is refused at once${until}: tools that use it create, close and acknowledge no alerts, and most of them try no second time.`,
        'Heartbeats that are pinged with its key expire.',
      ];
    case 'mail':
      return [`Mail to ${emailAddress} is refused at once${until}, and creates no alert.`];
    case 'webhook':
    case 'chat':
      return [`It posts nothing${until}: what happens to alerts meanwhile is not posted later.`];
  }
}
