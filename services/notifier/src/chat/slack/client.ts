import type { OutgoingCaller } from '@tocsin/http';
import { abbreviated } from '@tocsin/rules';
import { z } from 'zod';
import type { CallbackAnswer } from '../../channels/callback-provider.ts';
import { fieldsOf, refusal, unansweredOutside, words } from '../../channels/http/outgoing.ts';
import type { ChatChannel, ChatClient, ChatResult, FoundAccount, PostReference } from '../chat-client.ts';
import type { ChatPost, ChatReply } from '../post.ts';
import { slackAnswer, slackMessage, slackReply } from './render.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Errors after which a new post is made: there is no post to change. */
const GONE: ReadonlySet<string> = new Set([
  'message_not_found',
  'cant_update_message',
  'cant_delete_message',
  'edit_window_closed',
  'thread_not_found',
]);

/** Errors of Slack itself, which may pass. */
const TEMPORARY: ReadonlySet<string> = new Set([
  'ratelimited',
  'rate_limited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
]);

/** What a user can do about an error. */
const MEANINGS: Readonly<Record<string, string>> = {
  channel_not_found: 'there is no such channel, or it is private and the bot is not in it',
  not_in_channel: 'invite the bot to the channel',
  is_archived: 'the channel is archived',
  invalid_auth: 'the token is wrong',
  not_authed: 'the token is missing',
  token_revoked: 'the token was revoked: install the app again, and set its new token',
  token_expired: 'the token has expired',
  account_inactive: 'the app was removed, or its workspace',
  missing_scope: 'the app needs the scope chat:write',
  restricted_action: 'a setting of the workspace forbids posts in the channel',
  msg_too_long: 'the post is too long',
};

const MAX_ERROR_LENGTH = 100;

/** Posts in channels of Slack by its Web API, with the token of a bot that has the scope `chat:write`. */
export class SlackClient implements ChatClient {
  /** A post a second in a channel, and 50 edits a minute. */
  readonly abilities = { changes: true, paceMs: 1_200 };
  readonly #outgoing: Pick<OutgoingCaller, 'call'>;

  constructor(outgoing: Pick<OutgoingCaller, 'call'>) {
    this.#outgoing = outgoing;
  }

  post(channel: ChatChannel, post: ChatPost): Promise<ChatResult> {
    return this.#call(channel, 'chat.postMessage', { channel: channel.chat.channel, ...slackMessage(post) });
  }

  edit(channel: ChatChannel, { channel: id, post: ts }: PostReference, post: ChatPost): Promise<ChatResult> {
    return this.#call(channel, 'chat.update', { channel: id, ts, ...slackMessage(post) });
  }

  reply(channel: ChatChannel, { channel: id, post }: PostReference, reply: ChatReply): Promise<ChatResult> {
    return this.#call(channel, 'chat.postMessage', { channel: id, thread_ts: post, ...slackReply(reply) });
  }

  remove(channel: ChatChannel, { channel: id, post: ts }: PostReference): Promise<ChatResult> {
    return this.#call(channel, 'chat.delete', { channel: id, ts });
  }

  async accountOf({ chat, url }: ChatChannel, userId: string): Promise<FoundAccount> {
    const answer = await this.#outgoing.call({
      method: 'GET',
      url: `${url.replace(/\/+$/, '')}/users.info?user=${encodeURIComponent(userId)}`,
      headers: { authorization: `Bearer ${chat.token}` },
    });
    if (answer.kind !== 'answered') return { kind: 'unknown', reason: 'because Slack does not answer' };
    const { error, user } = fieldsOf(answer);
    const read = SlackUser.safeParse(user);
    if (read.success) return accountIn(read.data);
    const needs = error === 'missing_scope' ? ': the app needs the scopes users:read and users:read.email' : '';
    return { kind: 'unknown', reason: `because Slack refuses it${needs}` };
  }

  written(lines: readonly string[]): CallbackAnswer {
    return { type: 'application/json', content: JSON.stringify(slackAnswer(lines)) };
  }

  async answer(url: string, lines: readonly string[]): Promise<void> {
    const { content: body, type } = this.written(lines);
    await this.#outgoing.call({ method: 'POST', url, headers: { 'content-type': type }, body });
  }

  async #call({ chat, url }: ChatChannel, method: string, fields: Fields): Promise<ChatResult> {
    const answer = await this.#outgoing.call({
      method: 'POST',
      url: `${url.replace(/\/+$/, '')}/${method}`,
      headers: { authorization: `Bearer ${chat.token}`, 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(fields),
    });
    if (answer.kind !== 'answered') return unansweredOutside(answer);
    const said = fieldsOf(answer);
    const error = typeof said['error'] === 'string' ? words(said['error'], [chat.token]) : '';
    if (answer.status !== 200) return refusal(answer, abbreviated(error, MAX_ERROR_LENGTH));
    if (said['ok'] === true) return doneWith(said);
    return error === '' ? UNREADABLE : refused(error);
  }
}

const SlackUser = z.object({
  deleted: z.boolean().optional(),
  is_bot: z.boolean().optional(),
  is_email_confirmed: z.boolean().optional(),
  /** In a channel that workspaces share, that of the user and not that of the channel. */
  team_id: z.string().optional(),
  enterprise_user: z.object({ enterprise_id: z.string().optional() }).optional(),
  name: z.string().optional(),
  profile: z.object({
    email: z.string().optional(),
    display_name: z.string().optional(),
    real_name: z.string().optional(),
  }),
});

const isPerson = ({
  deleted = false,
  is_bot: isBot = false,
  is_email_confirmed: isConfirmed = true,
}: z.infer<typeof SlackUser>): boolean => !deleted && !isBot && isConfirmed;

const accountIn = (user: z.infer<typeof SlackUser>): FoundAccount => ({
  kind: 'known',
  mail: isPerson(user) ? (user.profile.email ?? '') : '',
  name: [user.profile.display_name, user.profile.real_name, user.name].find((name) => name?.trim()) ?? '',
  workspaces: [user.team_id, user.enterprise_user?.enterprise_id].filter((id) => id !== undefined),
});

function doneWith({ channel, ts }: Fields): ChatResult {
  if (typeof channel !== 'string' || typeof ts !== 'string') return UNREADABLE;
  return { kind: 'done', reference: { channel, post: ts } };
}

const UNREADABLE: ChatResult = { kind: 'unknown', reason: 'its answer cannot be read' };

function refused(error: string): ChatResult {
  if (GONE.has(error)) return { kind: 'gone' };
  const meaning = Object.hasOwn(MEANINGS, error) ? ` (${MEANINGS[error] ?? ''})` : '';
  const reason = `it answered ${abbreviated(error, MAX_ERROR_LENGTH)}${meaning}`;
  return { kind: TEMPORARY.has(error) ? 'temporary' : 'permanent', reason };
}
