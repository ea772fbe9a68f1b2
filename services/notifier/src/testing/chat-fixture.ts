import type { ChatProvider, WebhookSettings } from '@tocsin/events';
import { OutgoingCaller } from '@tocsin/http';
import {
  type ChatMessage,
  type DiscordDouble,
  type GoogleChatDouble,
  MATTERMOST_BOT,
  type MattermostDouble,
  SLACK_APP,
  type SlackDouble,
  startDiscord,
  startGoogleChat,
  startMattermost,
  startSlack,
  startTeams,
  type TeamsDouble,
  startTelegram,
  TELEGRAM_BOT,
  type TelegramDouble,
} from '@tocsin/testkit';
import type { ShowingClient } from '../chat/chat-client.ts';
import { ListInDigests } from '../chat/digest-operations.ts';
import { ChatDigests } from '../chat/digest-store.ts';
import { DiscordClient } from '../chat/discord/client.ts';
import { GoogleChatClient } from '../chat/google-chat/client.ts';
import { MentionResponders } from '../chat/mention-operations.ts';
import { MattermostOnCallClient } from '../chat/mattermost/on-call-client.ts';
import { AccountsByMail } from '../chat/on-call/accounts.ts';
import { SlackOnCallClient } from '../chat/slack/on-call-client.ts';
import { MattermostClient } from '../chat/mattermost/client.ts';
import { FollowAlerts } from '../chat/operations.ts';
import { SlackClient } from '../chat/slack/client.ts';
import { TeamsClient } from '../chat/teams/client.ts';
import { TelegramClient } from '../chat/telegram/client.ts';
import { TrustedAccounts } from '../chat/trusted-accounts.ts';
import { ChatPosts } from '../chat/store.ts';
import { openWebhookFixture, type WebhookFixture } from './webhook-fixture.ts';
import { webhookSettings } from './webhook-samples.ts';

/** The doubles of the products of chat. */
export const CHAT_PRODUCTS = {
  slack: {
    start: startSlack,
    type: 'Slack',
    channel: 'C0ALERTS',
    token: SLACK_APP.token,
    gone: /channel_not_found \(there is no/,
    markup: /<[!@#]|"link_names":true|"parse":"full"/,
    link: ' <https://run.example.com/book?a=1&amp;b=2> ',
  },
  mattermost: {
    start: startMattermost,
    type: 'Mattermost',
    channel: MATTERMOST_BOT.channel,
    token: MATTERMOST_BOT.token,
    gone: /403: api.context.permissions.app_error \(there is no/,
    markup: /@[a-z]|~[a-z]|[^\\]\]\(java|[^\\]`/,
    link: ' https://run.example.com/book?a=1&b=2 ',
  },
  discord: {
    start: startDiscord,
    type: 'Discord',
    channel: '',
    token: '',
    gone: /404: error 10015 \(the webhook was deleted/,
    markup: /"parse":\["|[^\\]<[@!#]|[^\\]\]\(java|[^\\]`/,
    link: ' <https://run.example.com/book?a=1&b=2> ',
  },
  teams: {
    start: startTeams,
    type: 'MSTeamsV2',
    channel: '',
    token: '',
    gone: /404: WorkflowNotFound \(the workflow was deleted/,
    markup: /"TextBlock"|"FactSet"|"entities"|\{\{/,
    link: '"selectAction":{"type":"Action.OpenUrl","url":"https://run.example.com/book?a=1&b=2"}',
  },
  'google-chat': {
    start: startGoogleChat,
    type: 'GoogleChat',
    channel: '',
    token: '',
    gone: /404: NOT_FOUND \(the webhook or its space was deleted/,
    markup: /<[!@]|<users|<a href=\\"java/,
    link: String.raw`<a href=\"https://run.example.com/book?a=1&amp;b=2\">`,
  },
  telegram: {
    start: startTelegram,
    type: 'Telegram',
    channel: TELEGRAM_BOT.chat,
    token: TELEGRAM_BOT.token,
    gone: /403: Forbidden: bot was kicked from the supergroup chat \(add the bot/,
    markup: /@[a-z]|<(?!\/?b>|\/?a[ >])|href=\\"(?!https:)|[^s]:\/\//,
    link: '<a href=\\"https://run.example.com/book?a=1&amp;b=2\\">',
  },
} as const;

/** The products whose posts are edited, and those that get a message for each event. */
export const CHANGING_PRODUCTS = ['slack', 'mattermost', 'telegram', 'discord'] as const;
export const KEEPING_PRODUCTS = ['teams', 'google-chat'] as const;

/** All messages of a channel, also replies. */
export const allMessages = ({ double }: Pick<ChatFixture, 'double'>): readonly ChatMessage[] =>
  double.posts().flatMap((post) => [post, ...post.replies]);

export interface ChatFixture extends WebhookFixture {
  readonly double: SlackDouble | MattermostDouble | TelegramDouble | DiscordDouble | TeamsDouble | GoogleChatDouble;
  /** Changes the settings of the integration. */
  readonly change: (fields: Partial<WebhookSettings>) => void;
  /** The pauses of the pace, milliseconds. */
  readonly pauses: readonly number[];
  /** Hands the next event over as a process that dies before it has written the outcome. */
  readonly showAndDie: () => Promise<void>;
  /** Holds the next call of a process that begins now, as one that is frozen, while another process has its queue. */
  readonly freeze: () => Promise<FrozenProcess>;
}

interface FrozenProcess {
  /** The call goes on. Resolves once the process has shown its event. */
  readonly resume: () => Promise<void>;
}

/** Everything between the topic and a channel of a double, for the integration `hook`. The clock goes on by each pause of the pace. */
export async function openChatFixture(
  provider: ChatProvider,
  {
    limit = 20,
    lookUpsMs = 10_000,
    processes = 2,
    thread = 'all',
  }: {
    readonly limit?: number;
    readonly lookUpsMs?: number;
    readonly processes?: number;
    readonly thread?: 'all' | 'state' | 'none';
  } = {},
): Promise<ChatFixture> {
  const { channel, start, token, type } = CHAT_PRODUCTS[provider];
  const double = await start();
  const fixture = await openWebhookFixture({ processes });
  const change = (fields: Partial<WebhookSettings> = {}): void => {
    const chat = { provider, channel, token, thread };
    fixture.settings.set('hook', webhookSettings({ type, name: 'Ops', url: double.url, chat, ...fields }));
  };
  change();
  const outgoing = new OutgoingCaller({ allowedRanges: ['127.0.0.1'] });
  const pauses: number[] = [];
  const posts = new ChatPosts(fixture.connection);
  const digests = new ListInDigests({ digests: new ChatDigests(fixture.connection), posts, clock: fixture.clock });
  let held: Promise<void> | undefined;
  let present = { hasLostLease: false };
  let isHeld: (() => void) | undefined;
  const holding = (client: ShowingClient): ShowingClient => {
    const ready = async (): Promise<ShowingClient> => {
      const [until, reached] = [held, isHeld];
      held = undefined;
      reached?.();
      await until;
      return client;
    };
    return {
      abilities: client.abilities,
      post: async (...call) => (await ready()).post(...call),
      edit: async (...call) => (await ready()).edit(...call),
      reply: async (...call) => (await ready()).reply(...call),
      remove: async (...call) => (await ready()).remove(...call),
    };
  };
  const follow = new FollowAlerts({
    clients: {
      slack: holding(new SlackClient(outgoing)),
      mattermost: holding(new MattermostClient(outgoing)),
      discord: holding(new DiscordClient(outgoing)),
      teams: holding(new TeamsClient(outgoing)),
      'google-chat': holding(new GoogleChatClient(outgoing)),
      telegram: holding(new TelegramClient(outgoing)),
    },
    posts,
    digests,
    limit,
    publicUrl: 'https://tocsin.example.com',
    buttons: { sign: () => ({ token: '', url: '' }) },
    accounts: new TrustedAccounts([], { isReachable: false }),
    mentions: new MentionResponders({
      clients: { slack: new SlackOnCallClient(outgoing), mattermost: new MattermostOnCallClient(outgoing) },
      accounts: new AccountsByMail(fixture.clock),
      lookUpsMs,
    }),
    clock: fixture.clock,
    pause: (ms) => {
      pauses.push(ms);
      fixture.clock.advance(ms);
      return Promise.resolve();
    },
  });
  fixture.receiver.answer = (delivery, settings, isLeased) => {
    const { chat, url } = settings;
    if (chat === undefined) throw new Error('It is no chat.');
    const shownBy = present;
    return follow.show({ delivery, settings, channel: { url, chat } }, () => !shownBy.hasLostLease && isLeased());
  };
  const showAndDie = async (): Promise<void> => {
    const queues = await fixture.claim();
    const { begun } = await fixture.store.begin(queues, fixture.clock.now(), fixture.sender.check);
    for (const message of begun) await fixture.sender.handOver(message);
    await fixture.expire();
  };
  const freeze = async (): Promise<FrozenProcess> => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const reached = Promise.withResolvers<undefined>();
    held = promise;
    isHeld = () => {
      reached.resolve(undefined);
    };
    const shown = showAndDie();
    await reached.promise;
    present.hasLostLease = true;
    present = { hasLostLease: false };
    await fixture.expire();
    return {
      resume: async () => {
        resolve(undefined);
        await shown;
      },
    };
  };
  const close = async (): Promise<void> => {
    await double.stop();
    await fixture.close();
  };
  return { ...fixture, change, close, double, freeze, pauses, showAndDie };
}

/** The words of a message, without what keeps them from being markup. */
export const textOf = ({ content }: Pick<ChatMessage, 'content'>): string =>
  JSON.stringify(content).replaceAll(/[\u200B]|\\\\/g, '');
export const repliesOf = (post: ChatMessage | undefined): readonly string[] => (post?.replies ?? []).map(textOf);
