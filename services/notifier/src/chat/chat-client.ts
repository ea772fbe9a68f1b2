import type { ChatSettings, WebhookSettings } from '@tocsin/events';
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
  /** Empty where the account has none that the product shows. */
  readonly mail: string;
  /** The workspaces of Slack that the account is of, and the organization of these. */
  readonly workspaces: readonly string[];
}

export type FoundAccount = KnownAccount | { readonly kind: 'unknown'; readonly reason: string };

/** The calls of one product of chat. Each resolves within seconds and never rejects. A reason has no secrets. */
export interface ShowingClient {
  post(channel: ChatChannel, post: ChatPost): Promise<ChatResult>;
  edit(channel: ChatChannel, reference: PostReference, post: ChatPost): Promise<ChatResult>;
  /** Adds a reply below a post, of which no user is notified who does not follow it. */
  reply(channel: ChatChannel, reference: PostReference, reply: ChatReply): Promise<ChatResult>;
  remove(channel: ChatChannel, reference: PostReference): Promise<ChatResult>;
}

/** Also the calls about users who press buttons. */
export interface ChatClient extends ShowingClient {
  accountOf(channel: ChatChannel, userId: string): Promise<FoundAccount>;
  /** Shows a text to one user alone, at the URL of a report of that user. */
  answer(url: string, text: string): Promise<void>;
}
