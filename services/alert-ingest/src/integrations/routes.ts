import {
  type AnswerOf,
  AuthenticateIntegrationBody,
  type Criteria,
  HIDDEN,
  integrationBody,
  integrationKind,
  integrationListQuery,
  type ItemOf,
} from '@tocsin/api';
import { type ChatSettings, formatInstant, isPostedByUrl } from '@tocsin/events';
import { defineRoute, type Route, type RouteInput, readsSecrets, type Principal } from '@tocsin/http';
import { isAdvanced } from './action.ts';
import type { IgnoreFlags, IntegrationContent, Recipient } from './content.ts';
import type { Integration } from './integration.ts';
import type { Integrations } from './operations.ts';
import type { ListedIntegration } from './store.ts';

export interface IntegrationSettings {
  /** The types of `EXTRA_INTEGRATION_TYPES` (P12). */
  readonly extraTypes: readonly string[];
  /** The domain at which mail is taken (P10). */
  readonly emailDomain: string;
}

/** `/v2/integrations/**` but for actions (part 1, 4.2). */
export function integrationRoutes(integrations: Integrations, settings: IntegrationSettings): readonly Route[] {
  return [
    ...writeRoutes(integrations, settings),
    ...readRoutes(integrations, settings),
    ...switchRoutes(ENABLE, (id, principal) => integrations.enable(id, principal)),
    ...switchRoutes(DISABLE, (id, principal) => integrations.disable(id, principal)),
    ...AUTHENTICATE.map((operation) =>
      defineRoute({
        operation,
        body: AuthenticateIntegrationBody,
        handle: ({ body, principal }) => {
          integrations.authenticate(body.type, principal);
          return Promise.resolve({ body: { result: `Integration of type [${body.type}] is valid.` } });
        },
      }),
    ),
  ];
}

function readRoutes(integrations: Integrations, { extraTypes, emailDomain }: IntegrationSettings): readonly Route[] {
  return [
    defineRoute({
      operation: 'list-integrations',
      query: integrationListQuery(extraTypes),
      handle: async ({ query, principal }) => ({
        body: { data: (await integrations.list(query, principal)).values().map(briefView) },
      }),
    }),
    defineRoute({
      operation: 'get-integration',
      handle: async ({ params, principal }) => ({
        body: { data: detailView(await integrations.get(integrationId(params), principal), emailDomain, principal) },
      }),
    }),
  ];
}

function writeRoutes(integrations: Integrations, { extraTypes, emailDomain }: IntegrationSettings): readonly Route[] {
  const body = integrationBody(extraTypes);
  return [
    defineRoute({
      operation: 'create-integration',
      body,
      handle: async (input) => {
        const { integration, apiKey } = await integrations.create(input.body, input.principal);
        const key = apiKey === undefined ? {} : { apiKey };
        return { status: 201, body: { data: { ...writtenView(integration, emailDomain), ...key } } };
      },
    }),
    defineRoute({
      operation: 'update-integration',
      body,
      handle: async (input) => {
        const integration = await integrations.replace(integrationId(input.params), input.body, input.principal);
        return { body: { data: writtenView(integration, emailDomain) } };
      },
    }),
    defineRoute({
      operation: 'delete-integration',
      handle: async ({ params, principal }) => {
        await integrations.delete(integrationId(params), principal);
        return { body: { result: 'Deleted successful' } };
      },
    }),
    defineRoute({
      operation: 'rotate-integration-key',
      handle: async ({ params, principal }) => {
        const { integration, apiKey, replacedValidUntil } = await integrations.rotateKey(
          integrationId(params),
          principal,
        );
        const previousKeyValidUntil = formatInstant(replacedValidUntil);
        return { body: { data: { ...briefView(integration), apiKey, previousKeyValidUntil } } };
      },
    }),
  ];
}

// Clients differ in the method that they use for these (part 1, 4.2).
const ENABLE = ['enable-integration', 'enable-integration-by-put', 'enable-integration-by-patch'] as const;
const DISABLE = ['disable-integration', 'disable-integration-by-put', 'disable-integration-by-patch'] as const;
const AUTHENTICATE = [
  'authenticate-integration',
  'authenticate-integration-by-put',
  'authenticate-integration-by-patch',
] as const;

function switchRoutes(
  operations: typeof ENABLE | typeof DISABLE,
  turn: (id: string, principal: Principal) => Promise<Integration>,
): readonly Route[] {
  const handle = async ({ params, principal }: RouteInput<unknown, unknown>) => ({
    body: { data: briefView(await turn(integrationId(params), principal)) },
  });
  return operations.map((operation) => defineRoute({ operation, handle }));
}

const integrationId = (params: Readonly<Record<string, string>>): string => params['integrationId'] ?? '';

/** An integration as lists and most writes answer it (part 1, 2.4; wire facts 5). */
function briefView({ id, name, enabled, type, ownerTeam }: ListedIntegration) {
  return { id, name, enabled, type, ...(ownerTeam !== undefined && { teamId: ownerTeam.id }) };
}

/** As `briefView`; of an e-mail integration also where mail goes to (part 1, 2.4). */
function writtenView(integration: Integration, emailDomain: string) {
  return { ...briefView(integration), ...emailAddress(integration, emailDomain) };
}

/**
 * An integration as it is read: both names of what has two (P2), references with id and name (E10). Where the reader may not write
 * it, what may be a secret of its webhook or its chat is hidden (K10).
 */
function detailView(
  integration: Integration,
  emailDomain: string,
  reader: Principal,
): AnswerOf<'get-integration'>['data'] {
  const { ownerTeam } = integration;
  const recipients = integration.recipients.map(recipientView);
  return {
    id: integration.id,
    name: integration.name,
    type: integration.type,
    enabled: integration.enabled,
    ...(ownerTeam !== undefined && { ownerTeam }),
    behavesAs: integrationKind(integration.type),
    isGlobal: ownerTeam === undefined,
    isAdvanced: isAdvanced(integration.actions),
    _readOnly: ['behavesAs', 'isAdvanced', 'isGlobal'],
    allowReadAccess: integration.allowReadAccess,
    allowWriteAccess: integration.allowWriteAccess,
    allowConfigurationAccess: integration.allowConfigurationAccess,
    ...ignoreView(integration),
    ...contentView(integration.content),
    suppressNotifications: integration.suppressNotifications,
    keepSamples: integration.keepSamples,
    recipients,
    responders: recipients,
    sendAlertActions: integration.sendAlertActions,
    alertActions: integration.alertActions,
    alertFilter: filterView(integration.alertFilter),
    ...emailView(integration, emailDomain),
    ...webhookView(integration, readsSecrets({ ownerTeamId: ownerTeam?.id }, reader)),
    ...chatView(integration, readsSecrets({ ownerTeamId: ownerTeam?.id }, reader)),
  };
}

/** Both spellings, in step, so that what is sent back means the same. */
export function ignoreView({
  ignoreRecipients,
  ignoreTeams,
  ignoreResponders,
}: IgnoreFlags): Readonly<
  Record<'ignoreRecipientsFromPayload' | 'ignoreTeamsFromPayload' | 'ignoreRespondersFromPayload', boolean>
> {
  return {
    ignoreRecipientsFromPayload: ignoreRecipients,
    ignoreTeamsFromPayload: ignoreTeams,
    ignoreRespondersFromPayload: ignoreResponders || (ignoreRecipients && ignoreTeams),
  };
}

function contentView(content: IntegrationContent) {
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
export function filterView({ written }: Criteria): AnswerOf<'get-integration'>['data']['alertFilter'] {
  const { type, conditionMatchType, conditions = [] } = written;
  return { conditionMatchType: conditionMatchType ?? type ?? 'match-all', conditions };
}

function emailAddress({ emailUsername }: Integration, domain: string) {
  return emailUsername === undefined ? {} : { emailAddress: `${emailUsername}@${domain}` };
}

function emailView(integration: Integration, domain: string) {
  const { emailUsername } = integration;
  return emailUsername === undefined ? {} : { emailUsername, ...emailAddress(integration, domain) };
}

function webhookView({ webhook }: Integration, withSecrets: boolean) {
  if (webhook === undefined) return {};
  const headers = webhook.headers.map(([name, value]) => [name, withSecrets ? value : HIDDEN] as const);
  return { ...webhook, url: urlView(webhook.url, withSecrets), headers: Object.fromEntries(headers) };
}

/** A URL whose path and query may be a secret. */
const urlView = (url: string, withSecrets: boolean): string => (withSecrets ? url : `${new URL(url).origin}/${HIDDEN}`);

/** What proves the reports of a product. */
const secretsView = ({ appToken, commandToken, signingSecret }: ChatSettings, withSecrets: boolean) => ({
  ...(signingSecret !== undefined && { signingSecret: withSecrets ? signingSecret : HIDDEN }),
  ...(commandToken !== undefined && { commandToken: withSecrets ? commandToken : HIDDEN }),
  ...(appToken !== undefined && { appToken: withSecrets ? appToken : HIDDEN }),
});

function chatView({ chat }: Integration, withSecrets: boolean) {
  if (chat === undefined) return {};
  const { channel, mention, onCall, provider, thread, token, url } = chat;
  const { addAlertDescription, addAlertDetails } = chat;
  const place = isPostedByUrl(provider)
    ? { url: urlView(url, withSecrets) }
    : { url, channel, token: withSecrets ? token : HIDDEN };
  return {
    ...place,
    addAlertDescription,
    addAlertDetails,
    thread,
    ...secretsView(chat, withSecrets),
    ...(onCall !== undefined && { onCall }),
    ...(mention !== undefined && { mention }),
  };
}

type RecipientView = ItemOf<AnswerOf<'get-integration'>['data']['recipients']>;

export function recipientView({ type, target }: Recipient): RecipientView {
  if (target === undefined) return { type };
  return type === 'user' ? { type, id: target.id, username: target.name } : { type, id: target.id, name: target.name };
}
