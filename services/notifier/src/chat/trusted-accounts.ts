import type { ChatSettings } from '@tocsin/events';

/** The part of a channel that says whose accounts press its buttons. */
interface Channel {
  /** That of the API of the product. */
  readonly url: string;
  readonly chat: Pick<ChatSettings, 'provider' | 'signingSecret' | 'appToken' | 'token' | 'commandToken'>;
}

/** The bot of the installation in Telegram. */
interface TrustedBot {
  readonly url: string;
  readonly token: string;
}

interface TrustedAccountsOptions {
  readonly bot?: TrustedBot | undefined;
  readonly isReachable: boolean;
}

/** The id of a workspace of Slack, or of an organization of workspaces. */
const WORKSPACE = /^[TE][A-Z0-9]{2,30}$/;

/** The APIs of Slack itself. A server in place of them could say what it likes about accounts. */
const SLACK_APIS = ['https://slack.com/api', 'https://slack-gov.com/api'];

/** Whether a word of the setting `CHAT_ACCOUNTS` names accounts that can be trusted. */
export const isTrustable = (word: string): boolean =>
  WORKSPACE.test(word) || (/^https?:\/\//i.test(word) && URL.canParse(word));

/**
 * The accounts of chat that act as users: those of workspaces and servers of which the operator says that the mail address of an account
 * belongs to its owner (C7). Users who write an integration choose its server, so its word alone is worth nothing.
 */
export class TrustedAccounts {
  readonly #workspaces: ReadonlySet<string>;
  readonly #servers: ReadonlySet<string>;

  readonly #bot: TrustedBot | undefined;
  readonly #isReachable: boolean;

  /**
   * `words` are ids of workspaces of Slack, and URLs of servers. `bot`: that of the installation in Telegram, whose accounts are linked by
   * their users. `isReachable`: whether products have a URL for their reports.
   */
  constructor(words: readonly string[], { bot, isReachable }: TrustedAccountsOptions) {
    this.#bot = bot;
    this.#isReachable = isReachable;
    this.#workspaces = new Set(words.filter((word) => WORKSPACE.test(word)));
    this.#servers = new Set(words.filter((word) => !WORKSPACE.test(word)).map(plainUrl));
  }

  /** Whether commands of a channel can be verified, and its accounts may be trusted (C9). */
  haveCommandsIn(channel: Channel): boolean {
    const { commandToken, provider } = channel.chat;
    return this.haveButtonsIn(channel) && (provider === 'slack' || commandToken !== undefined);
  }

  /** Whether posts in a channel have buttons: presses can be reported and verified, and its accounts may be trusted. */
  haveButtonsIn({ chat, url }: Channel): boolean {
    const isNamed = this.#servers.has(plainUrl(url));
    if (chat.provider === 'mattermost') return this.#isReachable && isNamed;
    if (chat.provider === 'telegram') return this.#isBot({ chat, url });
    if (chat.provider !== 'slack') return false;
    const isSlack = isNamed || SLACK_APIS.includes(plainUrl(url));
    const isReported = chat.appToken !== undefined || (this.#isReachable && chat.signingSecret !== undefined);
    return isSlack && isReported && this.#workspaces.size > 0;
  }

  /** Whether an integration posts by the bot of the installation, and not by another one or at another server. */
  #isBot({ chat, url }: Channel): boolean {
    const bot = this.#bot;
    return chat.token === bot?.token && plainUrl(url) === plainUrl(bot.url);
  }

  /** Whether an account of a channel with buttons is of a workspace or server that is named. */
  include({ chat }: Channel, { workspaces }: { readonly workspaces: readonly string[] }): boolean {
    return chat.provider === 'mattermost' || workspaces.some((id) => this.#workspaces.has(id));
  }
}

/** Where Slack takes answers to its requests. */
const SLACK_HOOKS = /^https:\/\/hooks\.slack(?:-gov)?\.com\//;

/** `answerAt` where it is at Slack itself or at the server of the channel: no other server is sent an answer. */
export const answerPlace = (answerAt: string | undefined, { url }: Pick<Channel, 'url'>): string | undefined =>
  answerAt !== undefined && (SLACK_HOOKS.test(answerAt) || URL.parse(answerAt)?.origin === URL.parse(url)?.origin)
    ? answerAt
    : undefined;

/** A URL without the slashes at its end, which change nothing. */
export const plainUrl = (url: string): string => url.replace(/\/+$/, '');
