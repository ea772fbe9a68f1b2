import type { OutgoingCaller } from '@tocsin/http';
import { z } from 'zod';
import type { CallbackAnswer } from '../../channels/callback-provider.ts';
import { fieldsOf, unansweredOutside } from '../../channels/http/outgoing.ts';
import type { ChatChannel, ChatClient, ChatResult, FoundAccount, PostReference } from '../chat-client.ts';
import type { ChatPost, ChatReply } from '../post.ts';
import { callMattermost, isPostGone, type MattermostCall, patchPost, refusedByMattermost } from './api.ts';
import { mattermostAnswer, mattermostPost, mattermostReply } from './render.ts';

/** Posts in channels of Mattermost by its API 4, with the token of a bot. */
export class MattermostClient implements ChatClient {
  /** Ten requests a second, where an operator limits it. */
  readonly abilities = { changes: true, paceMs: 200 };
  readonly #outgoing: Pick<OutgoingCaller, 'call'>;

  constructor(outgoing: Pick<OutgoingCaller, 'call'>) {
    this.#outgoing = outgoing;
  }

  async post(channel: ChatChannel, post: ChatPost): Promise<ChatResult> {
    return this.#create(channel, { channel_id: channel.chat.channel, ...mattermostPost(post) });
  }

  async edit(channel: ChatChannel, { post: id }: PostReference, post: ChatPost): Promise<ChatResult> {
    return this.#change(channel, patchPost(id, mattermostPost(post)));
  }

  async reply(channel: ChatChannel, { channel: id, post }: PostReference, reply: ChatReply): Promise<ChatResult> {
    return this.#create(channel, { channel_id: id, root_id: post, ...mattermostReply(reply) });
  }

  async remove(channel: ChatChannel, { post: id }: PostReference): Promise<ChatResult> {
    return this.#change(channel, { method: 'DELETE', path: `posts/${encodeURIComponent(id)}` });
  }

  /** Mattermost shows an address to bots where `ShowEmailAddress` is on, and to none whether it is verified. */
  async accountOf({ chat, url }: ChatChannel, userId: string): Promise<FoundAccount> {
    const answer = await this.#outgoing.call({
      method: 'GET',
      url: `${url.replace(/\/+$/, '')}/api/v4/users/${encodeURIComponent(userId)}`,
      headers: { authorization: `Bearer ${chat.token}` },
    });
    if (answer.kind !== 'answered') return { kind: 'unknown', reason: 'because Mattermost does not answer' };
    const read = MattermostUser.safeParse(fieldsOf(answer));
    if (answer.status !== 200 || !read.success) return { kind: 'unknown', reason: 'because Mattermost refuses it' };
    const { delete_at: deletedAt = 0, email, is_bot: isBot = false, username: name } = read.data;
    return { kind: 'known', mail: isBot || deletedAt !== 0 ? '' : email, name, workspaces: [] };
  }

  written(lines: readonly string[]): CallbackAnswer {
    return { type: 'application/json', content: JSON.stringify(mattermostAnswer(lines)) };
  }

  async answer(url: string, lines: readonly string[]): Promise<void> {
    const { content: body, type } = this.written(lines);
    await this.#outgoing.call({ method: 'POST', url, headers: { 'content-type': type }, body });
  }

  async #create({ chat, url }: ChatChannel, body: object): Promise<ChatResult> {
    const bot = { url, token: chat.token };
    const answer = await callMattermost(this.#outgoing, bot, { method: 'POST', path: 'posts', body });
    if (answer.kind !== 'answered') return unansweredOutside(answer);
    if (answer.status !== 201) return refusedByMattermost(answer, bot);
    const { channel_id: channelId, id } = fieldsOf(answer);
    if (typeof channelId !== 'string' || typeof id !== 'string')
      return { kind: 'unknown', reason: 'its answer cannot be read' };
    return { kind: 'done', reference: { channel: channelId, post: id } };
  }

  async #change({ chat, url }: ChatChannel, call: MattermostCall): Promise<ChatResult> {
    const bot = { url, token: chat.token };
    const answer = await callMattermost(this.#outgoing, bot, call);
    if (answer.kind !== 'answered') return unansweredOutside(answer);
    if (answer.status === 200) return { kind: 'done', reference: { channel: chat.channel, post: '' } };
    return isPostGone(answer) ? { kind: 'gone' } : refusedByMattermost(answer, bot);
  }
}

const MattermostUser = z.object({
  email: z.string(),
  username: z.string(),
  is_bot: z.boolean().optional(),
  delete_at: z.number().optional(),
});
