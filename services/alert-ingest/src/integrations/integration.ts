import type { AlertAction, Criteria } from '@tocsin/api';
import type {
  ChatOnCall,
  ChatSettings,
  IntegrationState,
  StateMessage,
  Version,
  WebhookSettings,
} from '@tocsin/events';
import { ConflictError, NotFoundError } from '@tocsin/core';
import type { ActionGroups } from './action.ts';
import type { IntegrationContent, NamedReference, Recipient } from './content.ts';

/** The URL that an integration of type Webhook calls about alerts, and the actions and content that it selects. */
export interface Webhook {
  readonly url: string;
  /** Header fields by name, in their order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly addAlertDetails: boolean;
  readonly addAlertDescription: boolean;
}

/** The channel of a chat in which an integration posts what happens to alerts (P22). */
export interface Chat extends ChatSettings, Pick<Webhook, 'addAlertDescription' | 'addAlertDetails'> {
  /** That of the product's API, or the webhook of its channel, which is a secret. */
  readonly url: string;
  /** Of which schedules its channel shows who is on call (C10). */
  readonly onCall?: readonly ChatOnCall[];
}

/** A key that was replaced and works until `validUntil` (exclusive). */
interface RetiringKey {
  readonly keyHash: string;
  readonly validUntil: Date;
  readonly signingSecret?: string;
  /** Absent of a key that was made here. */
  readonly isImported?: true;
}

/**
 * A source of alerts (part 1, 2.4). A key is kept only as SHA-256 and its last four characters (K2), and as what signs webhooks
 * where there are any.
 */
export interface Integration {
  readonly id: string;
  readonly version: Version;
  readonly createdAt: Date;
  readonly name: string;
  /** As the caller wrote it (P12). */
  readonly type: string;
  readonly enabled: boolean;
  /** Without one the integration is account-wide. */
  readonly ownerTeam: NamedReference | undefined;
  readonly allowReadAccess: boolean;
  readonly allowWriteAccess: boolean;
  readonly allowConfigurationAccess: boolean;
  /** Drops users, escalations and schedules of the payload (P11). */
  readonly ignoreRecipients: boolean;
  /** Drops teams of the payload. */
  readonly ignoreTeams: boolean;
  /** Drops both. */
  readonly ignoreResponders: boolean;
  readonly suppressNotifications: boolean;
  /** Whether its last requests of tools are kept (Q8). */
  readonly keepSamples: boolean;
  readonly recipients: readonly Recipient[];
  readonly content: IntegrationContent;
  readonly sendAlertActions: boolean;
  readonly alertActions: readonly AlertAction[];
  /** Which alerts a webhook or a channel of a chat receives (P12). */
  readonly alertFilter: Criteria;
  /** Of type Email alone: the part of its address before the `@`. */
  readonly emailUsername: string | undefined;
  /** Of type Webhook alone. */
  readonly webhook: Webhook | undefined;
  /** Of the types of chats alone, once they have a channel. */
  readonly chat: Chat | undefined;
  /** Absent where the integration takes mails alone (type Email). */
  readonly key: Key | undefined;
  readonly retiringKeys: readonly RetiringKey[];
  /** The hash of the key that was imported last. Absent where none was. */
  readonly importedKeyHash?: string;
  /** Its actions for requests and mails (P1). */
  readonly actions: ActionGroups;
  /** The topic of Amazon SNS whose subscription Tocsin confirms (Q6). */
  readonly snsTopic?: string;
}

/** The stored part of a key. */
export interface Key {
  readonly hash: string;
  /** Absent of a key that was imported by its hash. */
  readonly lastFour?: string;
  /** Signs webhooks. Only of type Webhook. */
  readonly signingSecret?: string;
}

/** The integration that is made at the first start, so that there is a key to begin with (K5). */
export const DEFAULT_INTEGRATION = {
  id: '5f0f5b0e-8c0c-5d3b-9a52-3c9f4f6f7a10',
  name: 'Default API',
  type: 'API',
} as const;

/** Whether it is the default integration, from which no user may lock themself out (K7). */
export function isDefault({ id }: Pick<Integration, 'id'>): boolean {
  return id === DEFAULT_INTEGRATION.id;
}

/** The next version of what is written at `integration`. */
export function nextVersion({ version }: Pick<Integration, 'version'>): Version {
  return { epoch: version.epoch, n: version.n + 1 };
}

/** The integration switched on or off; the same value, version included, when it already is. */
export function switched(integration: Integration, enabled: boolean): Integration {
  return integration.enabled === enabled ? integration : { ...integration, enabled, version: nextVersion(integration) };
}

/** The integration with the topic, where it has none yet; otherwise the same value (Q6). */
export function withTopic(integration: Integration, snsTopic: string): Integration {
  if (integration.snsTopic !== undefined) return integration;
  return { ...integration, snsTopic, version: nextVersion(integration) };
}

/** The team of an integration does not exist, or no longer. */
export const noSuchTeam = (id: string): NotFoundError => new NotFoundError(`Team does not exist with id: ${id}`);

/** The message of the topic `integrations.v1` that carries the present state of `integration`. */
export function stateMessage(integration: Integration): StateMessage<IntegrationState> {
  return { id: integration.id, version: integration.version, deleted: false, state: stateOf(integration) };
}

/** Whether it calls a URL or posts in a chat about what happens to alerts, while it is enabled. */
const sends = ({ chat, webhook, sendAlertActions, alertActions }: Integration): boolean =>
  (webhook !== undefined || chat !== undefined) && sendAlertActions && alertActions.length > 0;

/** Which URL it calls about alerts, or where it posts, and how; undefined where it does neither. */
export function webhookSettings(integration: Integration, now: Date): WebhookSettings | undefined {
  const { id, version, name, type, enabled, key, retiringKeys } = integration;
  const sending = sendingOf(integration);
  if (sending === undefined) return undefined;
  const retiring = retiringKeys.filter(({ validUntil }) => validUntil > now).toReversed();
  return {
    id,
    version,
    name,
    type,
    isOn: enabled && sends(integration),
    ...sending,
    signingSecrets: [key, ...retiring].flatMap((each) => each?.signingSecret ?? []),
  };
}

type Sending = Pick<WebhookSettings, 'addAlertDescription' | 'addAlertDetails' | 'chat' | 'headers' | 'url'>;

function sendingOf({ chat, webhook }: Integration): Sending | undefined {
  if (webhook !== undefined) return { ...webhook, headers: webhook.headers.map(([header, value]) => [header, value]) };
  if (chat === undefined) return undefined;
  const { addAlertDescription, addAlertDetails, onCall, url, ...settings } = chat;
  return { url, chat: settings, headers: [], addAlertDescription, addAlertDetails };
}

function stateOf(integration: Integration): IntegrationState {
  const { chat, id, name, type, enabled, ownerTeam, key, retiringKeys, alertActions, alertFilter } = integration;
  const { allowReadAccess, allowWriteAccess, allowConfigurationAccess, suppressNotifications } = integration;
  return {
    id,
    name,
    type,
    enabled,
    ...(ownerTeam !== undefined && { ownerTeamId: ownerTeam.id }),
    allowReadAccess,
    allowWriteAccess,
    allowConfigurationAccess,
    suppressNotifications,
    ...(key !== undefined && { keyHash: key.hash }),
    ...(retiringKeys.length > 0 && {
      retiringKeys: retiringKeys.map(({ keyHash, validUntil }) => ({ keyHash, validUntil: validUntil.toISOString() })),
    }),
    ...importedKeysOf(integration),
    ...(sends(integration) && { webhook: { alertActions: [...alertActions], alertFilter: alertFilter.set } }),
    ...(chat?.onCall !== undefined && { onCall: [...chat.onCall] }),
    ...(chat?.appToken !== undefined && { socketMode: true as const }),
  };
}

function importedKeysOf({
  importedKeyHash,
  key,
  retiringKeys,
}: Integration): Pick<IntegrationState, 'importedKeyHashes'> {
  const isPresent = key !== undefined && key.hash === importedKeyHash;
  const retiring = retiringKeys.filter(({ isImported }) => isImported === true).map(({ keyHash }) => keyHash);
  const importedKeyHashes = [...(isPresent ? [key.hash] : []), ...retiring];
  return importedKeyHashes.length === 0 ? {} : { importedKeyHashes };
}

/** Replaced keys beyond this many are given up, those first that end first. */
const RETIRING_LIMIT = 10;

/** The integration with `key` in place of its present one, which still works until `validUntil`. */
export function rotated(integration: Integration, key: Key, { now, validUntil }: RotationTimes): Integration {
  const { key: before } = integration;
  const signingSecret = before?.signingSecret;
  const replacedKey = before && {
    keyHash: before.hash,
    validUntil,
    ...(signingSecret !== undefined && { signingSecret }),
    ...(before.hash === integration.importedKeyHash && { isImported: true as const }),
  };
  const retiring = [...integration.retiringKeys, ...(replacedKey === undefined ? [] : [replacedKey])];
  return {
    ...integration,
    version: nextVersion(integration),
    key,
    retiringKeys: retiring
      .filter((each: RetiringKey) => each.validUntil > now)
      .sort((a, b) => a.validUntil.getTime() - b.validUntil.getTime())
      .slice(-RETIRING_LIMIT),
  };
}

/**
 * The integration with a key of another account as its present one; the same value where it has that key already. Its key before works
 * on, as after a rotation.
 *
 * @throws ConflictError where a later key has replaced this one.
 */
export function withImportedKey(integration: Integration, key: Key, times: RotationTimes): Integration {
  if (integration.key?.hash === key.hash) return integration;
  const replaced = [integration.importedKeyHash, ...integration.retiringKeys.map(({ keyHash }) => keyHash)];
  if (replaced.includes(key.hash))
    throw new ConflictError(`A later key of integration [${integration.name}] has replaced this one.`);
  return { ...rotated(integration, key, times), importedKeyHash: key.hash };
}

export interface RotationTimes {
  readonly now: Date;
  readonly validUntil: Date;
}
