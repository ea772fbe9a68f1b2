import { z } from 'zod';
import { id } from '../primitives.ts';
import { defineTopic } from '../topics.ts';
import { AlertContent, at, IntegrationReference, NamedResponder, Version } from './shared.ts';

/** The changes of alerts for which a webhook may be called (part 1, 2.4; P12). */
export const ALERT_ACTIONS = [
  'Create',
  'Acknowledge',
  'UnAcknowledge',
  'Snooze',
  'EscalateToNext',
  'AddNote',
  'AddRecipient',
  'AddTeam',
  'AddTags',
  'RemoveTags',
  'Close',
  'Delete',
  'CustomAction',
  'AssignOwnership',
  'TakeOwnership',
] as const;
export const WebhookAction = z.enum(ALERT_ACTIONS);
export type WebhookAction = z.infer<typeof WebhookAction>;

/**
 * Also `Update`: another change of what channels of chat show, such as a raise of the priority. It is no action of the API: no webhook is
 * called for it, and each channel of chat gets it.
 */
const EventAction = z.enum([...ALERT_ACTIONS, 'Update']);

/** An alert as webhooks receive it: as it is after what happened; one that is deleted, as it was last. */
export const WebhookAlert = AlertContent.extend({ updatedAt: at, responders: z.array(NamedResponder) });
export type WebhookAlert = z.infer<typeof WebhookAlert>;

/** The state of an alert after what happened, for those who show it as it is now. */
export const WebhookAlertState = z.object({
  status: z.enum(['open', 'closed']),
  acknowledged: z.boolean(),
  /** Who acknowledged it last, if a user or a caller did. */
  acknowledgedBy: z.string().optional(),
  closedBy: z.string().optional(),
  /** Only while it is snoozed. */
  snoozedUntil: at.optional(),
});
export type WebhookAlertState = z.infer<typeof WebhookAlertState>;

/**
 * Calls the webhooks of integrations about one thing that happened to an alert. It is given where an integration wants it, whether the alert pages
 * a user or not. The word that an alert is deleted is given wherever there is any webhook: nothing is kept of it after that
 * (A6).
 */
export const WebhookCommand = z.object({
  /** The same however often it is published: of the request and of what happened. */
  commandId: z.string(),
  alertId: id,
  /** Grows with what happens to the alert; what happens at once has the same. */
  version: z.int(),
  action: EventAction,
  /** The integrations to call; of a `Delete`, maybe none. */
  integrationIds: z.array(id),
  /** The actor, by user name or by the name in the request. */
  actor: z.string(),
  /** By whose key it was done. */
  through: IntegrationReference,
  at,
  note: z.string().optional(),
  /** The added responder, the new owner, or the escalation that continues. */
  responder: NamedResponder.optional(),
  /** The name of the custom action. */
  customAction: z.string().optional(),
  /** The tags that were added, or removed. */
  tags: z.array(z.string()).optional(),
  snoozedUntil: at.optional(),
  alert: WebhookAlert,
  state: WebhookAlertState.optional(),
});
export type WebhookCommand = z.infer<typeof WebhookCommand>;

/** Keyed by alert, so that webhooks receive what happens to one alert in its order. */
export const WebhookCommands = defineTopic<WebhookCommand>({
  name: 'webhook-commands.v1',
  kind: 'commands',
  schema: WebhookCommand,
  key: (command) => command.alertId,
});

/** The products of chat whose channels follow alerts. */
export const CHAT_PROVIDERS = ['slack', 'mattermost', 'telegram', 'discord', 'teams', 'google-chat'] as const;
export type ChatProvider = (typeof CHAT_PROVIDERS)[number];

/** Those whose posts have buttons. */
export const BUTTON_PROVIDERS = ['slack', 'mattermost'] as const satisfies readonly ChatProvider[];
export type ButtonProvider = (typeof BUTTON_PROVIDERS)[number];

const URL_PROVIDERS: ReadonlySet<ChatProvider> = new Set(['discord', 'teams', 'google-chat']);

/** Whether messages go to the URL of a webhook, which leads to the channel and is a secret. Others have a channel and the token of a bot. */
export const isPostedByUrl = (provider: ChatProvider): boolean => URL_PROVIDERS.has(provider);

/** Which events after the first one get a reply below the post: all, those that change the state of the alert, or none. */
export const CHAT_THREADS = ['all', 'state', 'none'] as const;

/** Whom a post about an alert mentions: its responders that are users, or no user. */
export const CHAT_MENTIONS = ['responders', 'none'] as const;

/** What the channel of a chat shows of who is on call in a schedule (C10). */
export const ChatOnCall = z.object({
  schedule: z.object({ id, name: z.string() }),
  /** Of Slack: the id of the user group whose members are the users on call. */
  userGroup: z.string().optional(),
  /** Whether the topic of the channel says who is on call. */
  topic: z.boolean(),
  /** Whether a message says that the users on call changed. */
  announce: z.boolean(),
});
export type ChatOnCall = z.infer<typeof ChatOnCall>;

/** The channel of a chat that follows alerts. */
export const ChatSettings = z.object({
  provider: z.enum(CHAT_PROVIDERS),
  /**
   * The id of the channel; of Slack and Telegram it may be the name, and of Telegram a colon and the id of a topic may follow. Empty where the
   * URL leads to the channel.
   */
  channel: z.string(),
  /** The token of the bot; empty where the URL is the secret. */
  token: z.string(),
  thread: z.enum(CHAT_THREADS),
  /** Of Slack and Mattermost; `none` where it is absent. */
  mention: z.enum(CHAT_MENTIONS).optional(),
  /** Of Slack: verifies its requests. */
  signingSecret: z.string().optional(),
  /** Of Slack: with it a connection is opened to Slack by which reports come (Socket Mode). */
  appToken: z.string().optional(),
  /** Of Mattermost: the token that the server has made for the command. */
  commandToken: z.string().optional(),
});
export type ChatSettings = z.infer<typeof ChatSettings>;

/**
 * Where and how an integration is called, as its owner answers over an internal route. It never stands on a topic: addresses and
 * headers are secrets, and so are the token and the secret of a chat.
 */
export const WebhookSettings = z.object({
  id,
  version: Version,
  name: z.string(),
  type: z.string(),
  /** Whether it is enabled and sends alert actions. */
  isOn: z.boolean(),
  /** Of a chat: that of the product's API, or of the webhook of its channel. */
  url: z.string(),
  /** Header fields by name, in their order. */
  headers: z.array(z.tuple([z.string(), z.string()])),
  addAlertDetails: z.boolean(),
  addAlertDescription: z.boolean(),
  /** With each of these what is sent is signed: that of the key, and those of replaced keys that still work. */
  signingSecrets: z.array(z.string()),
  /** Absent where the URL takes JSON in the shape of webhooks. */
  chat: ChatSettings.optional(),
});
export type WebhookSettings = z.infer<typeof WebhookSettings>;
