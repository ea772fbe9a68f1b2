import type { ButtonProvider, ChatProvider, ChatSettings, WebhookSettings } from '@tocsin/events';
import type { CallbackAnswer } from '../channels/callback-provider.ts';
import type { SendResult } from '../messages/attempts.ts';
import type { PostponedCall } from '../webhooks/operations.ts';
import type { ChatPost, ChatReply } from './post.ts';

/** The channel of an integration, and the product whose channel it is. */
export interface ChatChannel extends Pick<WebhookSettings, 'url'> {
  readonly chat: ChatSettings;
}

/** A post or a reply, by the ids of the product. */
export interface PostReference {
  /** The id of the channel, which may have been named otherwise. */
  readonly channel: string;
  readonly post: string;
}

/** The result of one call. `gone`: there is no such post any more, or it may not be changed. */
export type ChatResult =
  | { readonly kind: 'done'; readonly reference: PostReference }
  | { readonly kind: 'gone' }
  | PostponedCall
  | Exclude<SendResult, { readonly kind: 'accepted' }>;

/** An account that the product knows. */
interface KnownAccount {
  readonly kind: 'known';
  /** Empty where the product shows none that belongs to the account, and of an account that is deleted or a bot. */
  readonly mail: string;
  /** As its owner chose it. */
  readonly name: string;
  /** The workspaces of Slack that the account is of, and the organization of these. */
  readonly workspaces: readonly string[];
}

export type FoundAccount = KnownAccount | { readonly kind: 'unknown'; readonly reason: string };

/** What a product can do with a channel. */
export interface ChatAbilities {
  /** Whether messages are edited and removed. Without that each event is a message of its own, and a deletion of an alert removes nothing. */
  readonly changes: boolean;
  /** The time from one event to the next in a channel. An event makes an edit and a reply at most. */
  readonly paceMs: number;
}

/** For products that recognise a repeat, or keep messages together by a key of the caller. */
export interface PostKeys {
  /** The same each time that this message is sent. */
  readonly message: string;
  /** The same for all messages about an alert, and for all of a digest. */
  readonly thread: string;
}

/** The calls of one product of chat. Each resolves within seconds and never rejects. A reason has no secrets. */
export interface ShowingClient {
  readonly abilities: ChatAbilities;
  post(channel: ChatChannel, post: ChatPost, keys: PostKeys): Promise<ChatResult>;
  edit(channel: ChatChannel, reference: PostReference, post: ChatPost): Promise<ChatResult>;
  /** Adds a reply below a post, of which no user is notified who does not follow it, or after it where the product has no replies. */
  reply(channel: ChatChannel, reference: PostReference, reply: ChatReply, keys: PostKeys): Promise<ChatResult>;
  remove(channel: ChatChannel, reference: PostReference): Promise<ChatResult>;
}

/** Also the calls about users who press buttons and send commands. */
export interface ChatClient extends ShowingClient {
  accountOf(channel: ChatChannel, userId: string): Promise<FoundAccount>;
  /** Lines for one user alone, as the answer to a command of that user. Texts of others in them are no markup (C5). */
  written(lines: readonly string[]): CallbackAnswer;
  /** Shows lines to one user alone, at the URL of a report or a command of that user. */
  answer(url: string, lines: readonly string[]): Promise<void>;
}

/** The result of a call that makes no post. */
export type CallResult = { readonly kind: 'done' } | Exclude<SendResult, { readonly kind: 'accepted' }>;

/** The account that has a mail address; without `account` there is none. */
export type FoundByMail =
  { readonly kind: 'found'; readonly account: string | undefined } | Exclude<CallResult, { readonly kind: 'done' }>;

/** The calls of a product whose channels show who is on call. Each resolves within seconds and never rejects. A reason has no secrets. */
export interface OnCallChatClient {
  readonly abilities: ChatAbilities;
  /** Posts a line, which mentions the users with these accounts. Texts of others in it are no markup, and mention no user (C5). */
  say(channel: ChatChannel, line: string, mentions?: readonly string[]): Promise<CallResult>;
  /** Sets the topic of the channel, which has no markup either. */
  setTopic(channel: ChatChannel, line: string): Promise<CallResult>;
  /** Sets the members of a user group, at least one. */
  setUserGroup(channel: ChatChannel, group: string, accounts: readonly string[]): Promise<CallResult>;
  /** The account of a user by the mail address. */
  accountWith(channel: ChatChannel, mail: string): Promise<FoundByMail>;
}

/** The client of each product. */
export type ChatClients = {
  readonly [P in ChatProvider]: P extends ButtonProvider ? ChatClient : ShowingClient;
};

/** The clients of the products whose channels show who is on call. */
export type OnCallChatClients = Readonly<Record<ButtonProvider, OnCallChatClient>>;
