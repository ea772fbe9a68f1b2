import { CHAT_MENTIONS, CHAT_THREADS, Priority } from '@tocsin/events';
import { z } from 'zod';
import { WrittenCondition } from '../answers/conditions.ts';
import { Id, Instant, OwnerTeam } from '../answers/shared.ts';
import { type Description, LARGE_BODY, resource, type Rules, SMALL_BODY } from '../operation.ts';
import { INTEGRATION_KINDS } from '../bodies/integration-types.ts';
import { codedAnswer } from '../successes.ts';
import {
  AlertAction,
  AuthenticateIntegrationBody,
  integrationBody,
  integrationListQuery,
} from './integration-bodies.ts';
import { body, integration, item, key } from './integration-examples.ts';

/** An integration as lists show it (part 1, 2.4). */
const IntegrationItem = z
  .object({
    id: Id,
    name: z.string(),
    enabled: z.boolean(),
    type: z.string(),
    teamId: Id.optional().meta({ description: 'The team that owns it; absent where it is account-wide.' }),
  })
  .meta({ id: 'IntegrationItem' });

const emailAddress = z.string().optional().meta({ description: 'Where it takes mail: the address.' });

/** An integration that was written. */
const WrittenIntegration = z.object({ ...IntegrationItem.shape, emailAddress }).meta({ id: 'WrittenIntegration' });

/** An integration that was made. */
const CreatedIntegration = z
  .object({
    ...WrittenIntegration.shape,
    apiKey: z.uuid().optional().meta({ description: 'Shown this once. Absent where it takes mail.' }),
  })
  .meta({ id: 'CreatedIntegration' });

/** A key that was replaced. */
const RotatedKey = z
  .object({
    ...IntegrationItem.shape,
    apiKey: z.uuid().meta({ description: 'Shown this once.' }),
    previousKeyValidUntil: Instant,
  })
  .meta({ id: 'RotatedKey' });

const Recipient = z.union([
  z.object({ type: z.enum(['all', 'none']) }),
  z.object({ type: z.literal('user'), id: Id, username: z.string() }),
  z.object({ type: z.enum(['team', 'escalation', 'schedule']), id: Id, name: z.string() }),
]);

/** The filter of an action or a webhook (P2). */
const Filter = z
  .object({ conditionMatchType: z.string(), conditions: z.array(WrittenCondition) })
  .meta({ id: 'IntegrationFilter', description: 'In the spelling in which it was written.' });

/** The common fields of integrations and their create actions. */
const content = {
  priority: Priority.optional(),
  customPriority: z.string().optional(),
  tags: z.array(z.string()),
  extraProperties: z.record(z.string(), z.string()),
  recipients: z.array(Recipient),
  responders: z.array(Recipient).meta({ description: 'The same as `recipients`.' }),
  ignoreRecipientsFromPayload: z.boolean(),
  ignoreTeamsFromPayload: z.boolean(),
  ignoreRespondersFromPayload: z.boolean().meta({ description: 'Both of the others.' }),
  ignoreTagsFromPayload: z.boolean(),
  ignoreExtraPropertiesFromPayload: z.boolean(),
};

/** An integration as it is read (part 1, 2.4; P12). */
const Integration = z
  .object({
    id: Id,
    name: z.string(),
    type: z.string(),
    enabled: z.boolean(),
    ownerTeam: OwnerTeam.optional(),
    behavesAs: z.enum(INTEGRATION_KINDS).meta({
      description:
        'What its type means here: `email` takes mail, `webhook` calls `url`, `chat` posts in `channel`, or to the webhook `url`, `api` takes alerts by its key and sends nothing to the tool that the type names.',
    }),
    isGlobal: z.boolean().meta({ description: 'No team owns it.' }),
    isAdvanced: z.boolean().meta({ description: 'Its actions are not those of a new integration.' }),
    _readOnly: z.array(z.enum(['behavesAs', 'isAdvanced', 'isGlobal'])),
    allowReadAccess: z.boolean(),
    allowWriteAccess: z.boolean(),
    allowConfigurationAccess: z.boolean(),
    suppressNotifications: z.boolean(),
    keepSamples: z.boolean().meta({ description: 'Whether its last requests of tools are kept (Q8).' }),
    assignedTeam: OwnerTeam.optional(),
    ...content,
    sendAlertActions: z.boolean(),
    alertActions: z.array(AlertAction),
    alertFilter: Filter,
    emailUsername: z.string().optional(),
    emailAddress,
    url: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    addAlertDetails: z.boolean().optional(),
    addAlertDescription: z.boolean().optional(),
    channel: z.string().optional(),
    token: z.string().optional(),
    thread: z.enum(CHAT_THREADS).optional(),
    mention: z.enum(CHAT_MENTIONS).optional(),
    signingSecret: z.string().optional(),
    commandToken: z.string().optional(),
    onCall: z
      .array(
        z.object({
          schedule: z.object({ id: Id, name: z.string() }),
          userGroup: z.string().optional(),
          topic: z.boolean(),
          announce: z.boolean(),
        }),
      )
      .optional(),
    appToken: z.string().optional(),
  })
  .meta({ id: 'Integration' });

const action = {
  name: z.string(),
  order: z.int().min(0),
  filter: Filter,
  alias: z.string(),
  user: z.string(),
  note: z.string(),
};

const Action = <T extends string>(type: T) => z.object({ type: z.literal(type), ...action });

const CreateAction = Action('create').extend({
  source: z.string(),
  message: z.string(),
  description: z.string(),
  entity: z.string(),
  appendAttachments: z.boolean(),
  alertActions: z.array(z.string()),
  ignoreAlertActionsFromPayload: z.boolean(),
  ...content,
});

/** The actions of an integration by group, each in the order in which it is tried (part 1, 2.5; P1). */
export const IntegrationActions = z
  .object({
    _parent: z.object({ id: Id, name: z.string(), enabled: z.boolean(), type: z.string() }),
    ignore: z.array(Action('ignore')),
    create: z.array(CreateAction),
    close: z.array(Action('close')),
    acknowledge: z.array(Action('acknowledge')),
    addNote: z.array(Action('addNote')),
  })
  .meta({ id: 'IntegrationActions' });

const read = { right: 'read-configuration', domain: 'integration', owner: 'alert-ingest' } as const;
const write = {
  right: 'write-configuration',
  people: 'team-admin',
  domain: 'integration',
  owner: 'alert-ingest',
} as const;
/** Account-wide, so refused to team keys (K8). */
const accountWrite = { ...write, teamKeys: 'refused' } as const;
/** Describes the key itself: every key that reads may ask (K3). */
const check = { right: 'read', people: 'none', domain: 'integration', owner: 'alert-ingest' } as const;
const ALL = '/v2/integrations';
const ONE = '/v2/integrations/{integrationId}';
const AUTHENTICATE = '/v2/integrations/authenticate';

/** Further types than these are those of a setting (P12): the description knows none of them. */
const Body = integrationBody([]);
const ListQuery = integrationListQuery([]);

const switching = (enabled: boolean, description: string) =>
  ({
    description,
    success: codedAnswer(200, { data: IntegrationItem }, { data: { ...item, enabled } }),
    refusals: [404],
  }) satisfies Description;
const enable = switching(true, 'Its key works again.');
const disable = switching(false, 'Once this is answered, its key is refused everywhere.');

const authenticate = {
  description: 'Whether the key of the request is that of an integration of `type`; another type is 422.',
  body: { schema: AuthenticateIntegrationBody, example: { type: 'API' } },
  success: codedAnswer(
    200,
    { result: z.string().regex(/^Integration of type \[[^]+\] is valid\.$/) },
    { result: 'Integration of type [API] is valid.' },
  ),
} satisfies Description;

const RULES: Rules = {
  K7: [
    '`Default API` cannot be deleted or disabled, cannot lose rights, and cannot get another type or an owner team by PUT: 422.',
  ],
  P11: [
    'The recipients of an integration are added where the payload names none, or where a flag of the integration or of the action drops those of the payload. The recipients of the action are always added.',
    '`all` is every user known at that moment. Responders beyond 50 are left out, and the log says so.',
    'With `suppressNotifications` an alert keeps its responders and notifies no user, nor responders who are added later, whatever starts a flow. Its log says so, and it cannot be escalated.',
  ],
  P12: [
    'A type of the original is taken, in any letter case, and answered as written; `EXTRA_INTEGRATION_TYPES` adds more. Types that end in `Email` take mail, Webhook calls a URL, and `Slack`, `SlackApp`, `Mattermost`, `MSTeams`, `MSTeamsV2`, and of the types of Tocsin `Telegram`, `Discord` and `GoogleChat` post in a channel (P22). All others take alerts by a key, whatever tool they name; `behavesAs` of an integration says which.',
    'A webhook ([take webhooks](how-to/take-webhooks.md), [reasons](subjects/sending.md#webhooks)) gets actions while it is enabled and no window disables it, none where `alertActions` is empty. `alertFilter` is applied to the alert as it is then; filters of one owner share a budget (P3).',
    "A webhook of a team receives actions on the alerts that the team's keys may see, one of the account those on all alerts, whether these page a user or not.",
    '`UnAcknowledge` is sent whatever undid the acknowledgement; `AddTeam` or `AddRecipient` by the type of the added responder; `TakeOwnership` where the actor is the new owner.',
    'A call is tried for 15 minutes, an event for a channel of chat for 24 hours (C8), which count from the first call after an outage of the notifier of 5 minutes or longer. Actions on one alert are sent in order. The log has the result of each. A receiver that answers 429 or 503 with `Retry-After` is not called before then, for an hour at most (U7).',
    'Of types that are neither Webhook nor a chat (P22) `alertActions`, `alertFilter` and `sendAlertActions` are kept and have no effect.',
    'An integration that takes mail has an address in place of a key, unique without regard to case (P10).',
    'A PUT with another type is 422. The integration of a team key stays with its team.',
    'The key of an integration with neither `allowReadAccess` nor `allowWriteAccess` only sends requests of tools (K3): their actions open, acknowledge and close alerts, and it reads no alert and no status of a request. `tocsin integration add` makes such an integration.',
    'Each replaced key, up to ten, is valid for another `KEY_ROTATION_OVERLAP_MINUTES`, also where the key is rotated again. With 0 it is invalid from the answer on, as after a disable (K2).',
  ],
  P22: [
    'An integration of type `Slack`, `SlackApp`, `Mattermost` or `Telegram` posts in `channel` with the `token` of a bot ([follow alerts in a chat](how-to/follow-alerts-in-chat.md)). It gets actions as a webhook does (P12), unless it says otherwise: Create, Acknowledge, UnAcknowledge, Snooze, EscalateToNext, AddNote, Close, Delete, AssignOwnership and TakeOwnership.',
    'Its first action on an alert makes a post, unless there are too many (C6). Each later one changes the post to the alert as it is now, and replies below it: with `thread` `all` to each, with `state` to those that change the state of the alert, with `none` to none.',
    '`addAlertDescription` and `addAlertDetails` are true unless given. `url` is that of the API: of Mattermost its server, of Slack `https://slack.com/api` unless given, of Telegram `https://api.telegram.org` or that of a Bot API server of your own. In Telegram `channel` is the id of a chat or the `@name` of a public one, and a topic of a forum follows after a colon: `-1001234567890:12`. Without `channel` and `token` it posts nothing, and its key works as that of an API integration.',
    'Users give commands in Slack and Mattermost at the URL of an integration without `ownerTeam` (C9): in Slack with its `signingSecret`, in Mattermost with its `commandToken`, the token that Mattermost made for the command. In Slack neither buttons nor commands need a URL where the integration has an `appToken`, an app-level token (`xapp-…`), by which Tocsin opens a connection to Slack; `channel` and `token` are needed with it. With `sendAlertActions` false it posts nothing, and takes commands all the same.',
    'With `mention` `responders` a post in Slack and Mattermost mentions the responders of its alert that are users, and the message of `announce` the users who come on call (C11). Without it, and with `none`, no user is mentioned.',
    'With `onCall` the channel of Slack or Mattermost shows who is on call in up to 10 schedules (C10): `userGroup` is the id of a user group of Slack whose members are the users on call, `topic` puts them into the topic of the channel, in Mattermost its header, and replaces what it was, and `announce` posts a message when they change. Each entry needs one of the three, a topic in Slack the id of the channel. An integration of a team names schedules of its team, or of no team. It needs `channel` and `token`, and does not depend on `sendAlertActions`.',
    'An integration of type `Discord` posts to `url`, the webhook of a channel, which is needed. It has no `channel` and no `token`; its `url` is a secret, which a key that may not write reads without its path (K10). A webhook cannot reply below a post, so a reply is a further message with the title of the alert.',
    'An integration of type `MSTeams` or `MSTeamsV2` posts to `url`, a workflow of Microsoft Teams, which is a secret as that of Discord. Nothing is edited there: each action that `thread` names is a card of its own, with the alert as it is then. A deletion of the alert removes no card. Without `url` it posts nothing.',
    'An integration of type `GoogleChat` posts to `url`, the webhook of a space, which is needed and is a secret as that of Discord. Nothing is edited there: each action that `thread` names is a message in the thread of the alert. A deletion of the alert removes no message.',
  ],
};

/** Part 1, 4.2; wire facts 5. */
export const INTEGRATIONS = resource('Integrations', RULES, {
  'list-integrations': {
    ...read,
    method: 'GET',
    path: ALL,
    summary: 'Lists integrations',
    description: 'By creation. The key of a team sees the integrations of its team, and may not filter by team.',
    query: ListQuery,
    success: codedAnswer(200, { data: z.array(IntegrationItem) }, { data: [item] }),
  },
  'create-integration': {
    ...accountWrite,
    ...LARGE_BODY,
    method: 'POST',
    path: ALL,
    summary: 'Creates an integration and its key',
    description:
      'The key is shown only in this answer. An integration of type Webhook posts actions on alerts to `url`, signed with a secret that is derived from the key: the actions in `alertActions`, where `sendAlertActions` is true and `alertFilter` matches.',
    body: { schema: Body, example: body },
    success: codedAnswer(201, { data: CreatedIntegration }, { data: { ...item, apiKey: key } }),
    refusals: [404, 409],
  },
  'get-integration': {
    ...read,
    method: 'GET',
    path: ONE,
    summary: 'Reads an integration',
    success: codedAnswer(200, { data: Integration }, { data: integration }),
    refusals: [404],
  },
  'update-integration': {
    ...write,
    ...LARGE_BODY,
    method: 'PUT',
    path: ONE,
    summary: 'Replaces an integration',
    description:
      'Fields that the body leaves out get their defaults; key and actions stay. The type cannot be changed.',
    body: { schema: Body, example: body },
    success: codedAnswer(200, { data: WrittenIntegration }, { data: item }),
    refusals: [404, 409],
  },
  'delete-integration': {
    ...write,
    ...SMALL_BODY,
    method: 'DELETE',
    path: ONE,
    summary: 'Deletes an integration and its key',
    description: 'Once this is answered, its key is refused everywhere.',
    success: codedAnswer(200, { result: z.literal('Deleted successful') }, { result: 'Deleted successful' }),
    refusals: [404],
  },
  'enable-integration': {
    ...write,
    ...SMALL_BODY,
    method: 'POST',
    path: `${ONE}/enable`,
    summary: 'Enables an integration',
    ...enable,
  },
  'enable-integration-by-put': {
    ...write,
    ...SMALL_BODY,
    method: 'PUT',
    path: `${ONE}/enable`,
    summary: 'Enables an integration',
    ...enable,
  },
  'enable-integration-by-patch': {
    ...write,
    ...SMALL_BODY,
    method: 'PATCH',
    path: `${ONE}/enable`,
    summary: 'Enables an integration',
    ...enable,
  },
  'disable-integration': {
    ...write,
    ...SMALL_BODY,
    method: 'POST',
    path: `${ONE}/disable`,
    summary: 'Disables an integration',
    ...disable,
  },
  'disable-integration-by-put': {
    ...write,
    ...SMALL_BODY,
    method: 'PUT',
    path: `${ONE}/disable`,
    summary: 'Disables an integration',
    ...disable,
  },
  'disable-integration-by-patch': {
    ...write,
    ...SMALL_BODY,
    method: 'PATCH',
    path: `${ONE}/disable`,
    summary: 'Disables an integration',
    ...disable,
  },
  'authenticate-integration': {
    ...check,
    ...SMALL_BODY,
    method: 'POST',
    path: AUTHENTICATE,
    summary: 'Says whether the key is good',
    ...authenticate,
  },
  'authenticate-integration-by-put': {
    ...check,
    ...SMALL_BODY,
    method: 'PUT',
    path: AUTHENTICATE,
    summary: 'Says whether the key is good',
    ...authenticate,
  },
  'authenticate-integration-by-patch': {
    ...check,
    ...SMALL_BODY,
    method: 'PATCH',
    path: AUTHENTICATE,
    summary: 'Says whether the key is good',
    ...authenticate,
  },
  'rotate-integration-key': {
    ...accountWrite,
    ...SMALL_BODY,
    method: 'POST',
    path: `${ONE}/rotate-key`,
    summary: 'Replaces the key of an integration',
    description: 'The new key is shown only in this answer; the previous one is valid until `previousKeyValidUntil`.',
    success: codedAnswer(
      200,
      { data: RotatedKey },
      { data: { ...item, apiKey: key, previousKeyValidUntil: '2026-01-31T08:00:00Z' } },
    ),
    refusals: [404],
  },
});
