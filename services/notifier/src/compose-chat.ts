import type { IntegrationState } from '@tocsin/events';
import { LinkSigner, lookUpsApart, OutgoingCaller } from '@tocsin/http';
import type { ReplicaView } from '@tocsin/kafka';
import { internalClient, type ServiceContext } from '@tocsin/service';
import { ButtonLinks } from './channels/callbacks/links.ts';
import type { AnswerAlerts } from './answers/operations.ts';
import { AccountUsers, type AccountUsersPorts } from './chat/account-operations.ts';
import { TakeButtons, type TakeButtonsPorts } from './chat/button-operations.ts';
import { CarryOutCommands } from './chat/commands/carry-out.ts';
import { TakeCommands } from './chat/commands/operations.ts';
import type { ChatClients, OnCallChatClients } from './chat/chat-client.ts';
import { DiscordClient } from './chat/discord/client.ts';
import { GoogleChatClient } from './chat/google-chat/client.ts';
import { MattermostClient } from './chat/mattermost/client.ts';
import { MattermostOnCallClient } from './chat/mattermost/on-call-client.ts';
import { SlackOnCallClient } from './chat/slack/on-call-client.ts';
import { TeamsClient } from './chat/teams/client.ts';
import { SlackClient } from './chat/slack/client.ts';
import type { TelegramBot } from './chat/telegram/bot-api.ts';
import { TelegramClient } from './chat/telegram/client.ts';
import { MentionResponders } from './chat/mention-operations.ts';
import { AccountsByMail } from './chat/on-call/accounts.ts';
import { TrustedAccounts } from './chat/trusted-accounts.ts';
import type { Config } from './config.ts';
import { WebhookSettingsClient } from './webhooks/settings-client.ts';

/** An answer of Slack repeats the whole post. */
const MAX_CHAT_ANSWER_BYTES = 256 * 1024;

/** What posts in channels of chat and presses of their buttons share. */
export interface Chats {
  readonly settings: WebhookSettingsClient;
  readonly clients: ChatClients;
  readonly onCallClients: OnCallChatClients;
  readonly accountsByMail: AccountsByMail;
  readonly mentions: MentionResponders;
  readonly accounts: TrustedAccounts;
  readonly buttons: ButtonLinks;
}

/** Opens the clients of chat, and the settings of all outgoing integrations. */
export function openChats(
  context: ServiceContext<Config>,
  integrations: Pick<ReplicaView<IntegrationState>, 'whenChanged'>,
): Chats {
  const { clock, config } = context;
  const { callbackUrl: baseUrl, common, webhookAllowedRanges: allowedRanges } = config;
  const outgoing = new OutgoingCaller({
    allowedRanges,
    resolve: lookUpsApart(),
    maxAnswerBytes: MAX_CHAT_ANSWER_BYTES,
  });
  const links = new LinkSigner(common.signingKeys, 'chat-button');
  const onCallClients = { slack: new SlackOnCallClient(outgoing), mattermost: new MattermostOnCallClient(outgoing) };
  const accountsByMail = new AccountsByMail(clock);
  return {
    settings: new WebhookSettingsClient(internalClient(context, 'alert-ingest'), integrations, clock),
    clients: {
      slack: new SlackClient(outgoing),
      mattermost: new MattermostClient(outgoing),
      discord: new DiscordClient(outgoing),
      teams: new TeamsClient(outgoing),
      'google-chat': new GoogleChatClient(outgoing),
      telegram: new TelegramClient(outgoing),
    },
    accountsByMail,
    mentions: new MentionResponders({ clients: onCallClients, accounts: accountsByMail }),
    onCallClients,
    accounts: new TrustedAccounts(config.chatAccounts, { bot: botOf(config), isReachable: baseUrl !== undefined }),
    buttons: new ButtonLinks({ baseUrl, links, clock }),
  };
}

/** The bot of the installation in Telegram, where there is one. */
export const botOf = ({ telegramBotToken: token, telegramUrl: url }: Config): TelegramBot | undefined =>
  token === undefined ? undefined : { url, token };

/** The parts that buttons and commands share. */
type ActingParts = Pick<AccountUsersPorts, 'users' | 'roles'> &
  Pick<TakeButtonsPorts, 'alerts' | 'integrations'> & { readonly answers: AnswerAlerts };

/** Takes presses of buttons and commands. */
export function openChatCallbacks(
  context: ServiceContext<Config>,
  { buttons: links, ...chats }: Chats,
  { alerts, answers, integrations, roles, users }: ActingParts,
): { readonly buttons: TakeButtons; readonly commands: TakeCommands } {
  const { clock, config, logger, metrics } = context;
  const accountUsers = new AccountUsers({ ...chats, users, roles, unknownMayAct: config.chatUnknownMayAct });
  const onCallback: TakeButtonsPorts['onCallback'] = (outcome) => {
    metrics.callback(outcome);
  };
  const services = {
    'alert-ingest': internalClient(context, 'alert-ingest'),
    'alert-processor': internalClient(context, 'alert-processor'),
    directory: internalClient(context, 'directory'),
    scheduling: internalClient(context, 'scheduling'),
  };
  const common = { ...chats, accountUsers, integrations, clock, onCallback };
  return {
    buttons: new TakeButtons({ ...common, alerts, answers, links }),
    commands: new TakeCommands({
      ...common,
      commands: new CarryOutCommands({ services, answers }),
      onDefect: (error) => {
        logger.error({ err: error }, 'A command of a chat failed.');
      },
    }),
  };
}
