import type { OutgoingCaller } from '@tocsin/http';
import { z } from 'zod';
import type { CallbackAnswer } from '../../channels/callback-provider.ts';
import { fieldsOf, unansweredOutside } from '../../channels/http/outgoing.ts';
import type { ChatChannel, ChatClient, ChatResult, FoundAccount, PostReference } from '../chat-client.ts';
import type { ChatPost, ChatReply } from '../post.ts';
import { slackAnswer, slackMessage, slackReply } from './render.ts';
import { callSlack, isGone, messageIn, refusedBySlack } from './web-api.ts';

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

  async #call(
    { chat, url }: ChatChannel,
    method: string,
    fields: Readonly<Record<string, unknown>>,
  ): Promise<ChatResult> {
    const app = { url, token: chat.token };
    const answer = await callSlack(this.#outgoing, app, method, fields);
    if (answer.kind !== 'answered') return unansweredOutside(answer);
    const message = messageIn(answer);
    if (message !== undefined) return { kind: 'done', reference: { channel: message.channel, post: message.ts } };
    return isGone(answer) ? { kind: 'gone' } : refusedBySlack(answer, app);
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
