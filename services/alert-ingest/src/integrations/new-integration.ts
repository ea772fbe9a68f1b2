import { type AlertAction, chatProviderOf, type Criteria, type IntegrationBody, integrationKind } from '@tocsin/api';
import { BUTTON_PROVIDERS, type ChatOnCall, type ChatProvider, isPostedByUrl, MATCH_ALL } from '@tocsin/events';
import { InvalidError } from '@tocsin/core';
import { DEFAULT_ACTIONS } from './action.ts';
import { contentOf, ignoreFlags, type NamedReference, type Recipient } from './content.ts';
import {
  type Chat,
  DEFAULT_INTEGRATION,
  type Integration,
  isDefault,
  type Key,
  nextVersion,
  type Webhook,
} from './integration.ts';

/** The values of a new integration that are not in its body. */
export interface Origin {
  readonly id: string;
  readonly createdAt: Date;
  readonly key: Key | undefined;
}

/** The things that a body refers to, found. */
export interface FoundReferences {
  readonly ownerTeam: NamedReference | undefined;
  readonly assignedTeam: NamedReference | undefined;
  readonly recipients: readonly Recipient[];
  /** Of a chat: of which schedules its channel shows who is on call. */
  readonly onCall: readonly ChatOnCall[];
}

/** The fields of an integration that a body sets; the others are its history. */
export type Described = Omit<
  Integration,
  'id' | 'version' | 'createdAt' | 'key' | 'retiringKeys' | 'importedKeyHash' | 'actions' | 'snsTopic'
>;

const EVERYTHING: Criteria = { set: MATCH_ALL, written: { conditionMatchType: 'match-all', conditions: [] } };

/**
 * The recipients that a body asks for: `responders` is the newer name and wins where both are sent, because clients send back a
 * copy of `recipients` as they read it (P2; wire facts 10.7). Those that are too many for an alert are left out of it, which
 * its log says (P11).
 */
export function wantedRecipients(
  body: Pick<IntegrationBody, 'recipients' | 'responders'>,
): NonNullable<IntegrationBody['recipients']> {
  return body.responders ?? body.recipients ?? [];
}

/** The integration that `body` describes, every field that it leaves out at its default (part 1, 4.2). */
export function newIntegration(body: IntegrationBody, found: FoundReferences, origin: Origin): Integration {
  const { id, createdAt, key } = origin;
  const version = { epoch: createdAt.getTime(), n: 1 };
  return { id, version, createdAt, ...described(body, found), key, retiringKeys: [], actions: DEFAULT_ACTIONS };
}

/** The fields that `body` sets, with defaults for missing ones: the same for a create and a full replacement. */
export function described(
  body: IntegrationBody,
  { ownerTeam, assignedTeam, onCall, recipients }: FoundReferences,
): Described {
  const kind = integrationKind(body.type);
  return {
    name: body.name,
    type: body.type,
    ownerTeam,
    recipients,
    ...switches(body),
    ...ignoreFlags(body),
    content: contentOf(body, assignedTeam),
    alertActions: body.alertActions ?? (kind === 'chat' ? CHAT_ACTIONS : []),
    alertFilter: body.alertFilter ?? EVERYTHING,
    emailUsername: kind === 'email' ? body.emailUsername : undefined,
    webhook: kind === 'webhook' ? webhookOf(body) : undefined,
    chat: chatOf(body, onCall),
  };
}

type Switch =
  | 'enabled'
  | 'allowReadAccess'
  | 'allowWriteAccess'
  | 'allowConfigurationAccess'
  | 'suppressNotifications'
  | 'keepSamples'
  | 'sendAlertActions';

function switches(body: IntegrationBody): Pick<Integration, Switch> {
  return {
    enabled: body.enabled ?? true,
    allowReadAccess: body.allowReadAccess ?? true,
    allowWriteAccess: body.allowWriteAccess ?? true,
    allowConfigurationAccess: body.allowConfigurationAccess ?? false,
    suppressNotifications: body.suppressNotifications ?? false,
    keepSamples: body.keepSamples ?? true,
    sendAlertActions: body.sendAlertActions ?? integrationKind(body.type) === 'chat',
  };
}

function webhookOf({ url = '', headers = {}, addAlertDetails, addAlertDescription }: IntegrationBody): Webhook {
  return {
    url,
    headers: Object.entries(headers),
    addAlertDetails: addAlertDetails ?? false,
    addAlertDescription: addAlertDescription ?? false,
  };
}

/** The actions that a channel of a chat receives where the body names none (P22). */
const CHAT_ACTIONS: readonly AlertAction[] = [
  'Create',
  'Acknowledge',
  'UnAcknowledge',
  'Snooze',
  'EscalateToNext',
  'AddNote',
  'Close',
  'Delete',
  'AssignOwnership',
  'TakeOwnership',
];

/** The APIs of products that have one for all. */
const CHAT_URLS: Readonly<Partial<Record<ChatProvider, string>>> = {
  slack: 'https://slack.com/api',
  telegram: 'https://api.telegram.org',
};

function chatOf(body: IntegrationBody, onCall: readonly ChatOnCall[]): Chat | undefined {
  const { addAlertDescription, addAlertDetails, thread, type } = body;
  const provider = chatProviderOf(type);
  const place = provider && placeOf(provider, body);
  if (provider === undefined || place === undefined) return undefined;
  return {
    provider,
    ...place,
    thread: thread ?? 'all',
    addAlertDescription: addAlertDescription ?? true,
    addAlertDetails: addAlertDetails ?? true,
    ...ofSomeProducts(provider, body),
    ...(onCall.length > 0 && { onCall }),
  };
}

/** The fields that only some products have. */
const ofSomeProducts = (
  provider: ChatProvider,
  { appToken, commandToken, mention = 'none', signingSecret }: IntegrationBody,
): Pick<Chat, 'appToken' | 'commandToken' | 'mention' | 'signingSecret'> => ({
  ...(signingSecret !== undefined && { signingSecret }),
  ...(commandToken !== undefined && { commandToken }),
  ...(appToken !== undefined && provider === 'slack' && { appToken }),
  ...(BUTTON_PROVIDERS.some((each) => each === provider) && { mention }),
});

/** Where a chat posts, and its secret; undefined where the body does not say so. */
function placeOf(
  provider: ChatProvider,
  { channel, token, url }: IntegrationBody,
): Pick<Chat, 'channel' | 'token' | 'url'> | undefined {
  if (isPostedByUrl(provider)) return url === undefined ? undefined : { url, channel: '', token: '' };
  return channel === undefined || token === undefined
    ? undefined
    : { url: url ?? CHAT_URLS[provider] ?? '', channel, token };
}

/** The account-wide integration with every right that each installation begins with (K5, K7). */
export function defaultIntegration(origin: Omit<Origin, 'id'>): Integration {
  const body: IntegrationBody = {
    name: DEFAULT_INTEGRATION.name,
    type: DEFAULT_INTEGRATION.type,
    allowConfigurationAccess: true,
  };
  const found = { ownerTeam: undefined, assignedTeam: undefined, recipients: [], onCall: [] };
  return newIntegration(body, found, { ...origin, id: DEFAULT_INTEGRATION.id });
}

/**
 * `current` with all that a body decides replaced by `wanted`; its identity and its keys stay (part 1, 4.2).
 *
 * @throws InvalidError for another type (P12), and for what would lock all users out of the default integration (K7).
 */
export function replaced(current: Integration, wanted: Described): Integration {
  const wrong = { ...otherType(current, wanted), ...(isDefault(current) && lockedOut(wanted)) };
  if (Object.keys(wrong).length > 0) throw InvalidError.ofFields(wrong);
  return { ...current, ...wanted, version: nextVersion(current) };
}

function otherType(current: Integration, { type }: Described): Readonly<Record<string, string>> {
  if (type.toLowerCase() === current.type.toLowerCase()) return {};
  return { type: `of an integration of type [${current.type}] can not be changed` };
}

const KEPT = 'of the default integration can not be taken away';

function lockedOut(wanted: Described): Readonly<Record<string, string>> {
  return {
    ...(!wanted.enabled && { enabled: KEPT }),
    ...(!wanted.allowReadAccess && { allowReadAccess: KEPT }),
    ...(!wanted.allowWriteAccess && { allowWriteAccess: KEPT }),
    ...(!wanted.allowConfigurationAccess && { allowConfigurationAccess: KEPT }),
    ...(wanted.ownerTeam !== undefined && { ownerTeam: 'of the default integration can not be set' }),
  };
}
