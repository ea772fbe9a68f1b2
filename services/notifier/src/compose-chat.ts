import type { IntegrationState } from '@tocsin/events';
import { LinkSigner, lookUpsApart, OutgoingCaller } from '@tocsin/http';
import type { ReplicaView } from '@tocsin/kafka';
import { internalClient, type ServiceContext } from '@tocsin/service';
import { ButtonLinks } from './channels/callbacks/links.ts';
import { TakeButtons, type TakeButtonsPorts } from './chat/button-operations.ts';
import type { ChatClients } from './chat/chat-client.ts';
import { DiscordClient } from './chat/discord/client.ts';
import { GoogleChatClient } from './chat/google-chat/client.ts';
import { MattermostClient } from './chat/mattermost/client.ts';
import { TeamsClient } from './chat/teams/client.ts';
import { SlackClient } from './chat/slack/client.ts';
import type { TelegramBot } from './chat/telegram/bot-api.ts';
import { TelegramClient } from './chat/telegram/client.ts';
import { TrustedAccounts } from './chat/trusted-accounts.ts';
import type { Config } from './config.ts';
import { WebhookSettingsClient } from './webhooks/settings-client.ts';

/** An answer of Slack repeats the whole post. */
const MAX_CHAT_ANSWER_BYTES = 256 * 1024;

/** What posts in channels of chat and presses of their buttons share. */
export interface Chats {
  readonly settings: WebhookSettingsClient;
  readonly clients: ChatClients;
  readonly accounts: TrustedAccounts;
  /** Undefined without `CALLBACK_URL`. */
  readonly buttons: ButtonLinks | undefined;
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
    accounts: new TrustedAccounts(config.chatAccounts, botOf(config)),
    buttons: baseUrl === undefined ? undefined : new ButtonLinks({ baseUrl, links, clock }),
  };
}

/** The bot of the installation in Telegram, where there is one. */
export const botOf = ({ telegramBotToken: token, telegramUrl: url }: Config): TelegramBot | undefined =>
  token === undefined ? undefined : { url, token };

/** Takes presses of buttons, where there is a `CALLBACK_URL`. */
export function openButtons(
  { clock, metrics }: ServiceContext<Config>,
  { buttons: links, ...chats }: Chats,
  parts: Pick<TakeButtonsPorts, 'users' | 'alerts' | 'answers' | 'integrations'>,
): TakeButtons | undefined {
  const onCallback: TakeButtonsPorts['onCallback'] = (outcome) => {
    metrics.callback(outcome);
  };
  return links && new TakeButtons({ ...chats, ...parts, links, clock, onCallback });
}
