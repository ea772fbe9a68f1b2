import type { OutgoingAnswer, OutgoingCaller, OutgoingRequest } from '@tocsin/http';
import { abbreviated } from '@tocsin/rules';
import { z } from 'zod';
import type { CallbackAnswer } from '../../channels/callback-provider.ts';
import { fieldsOf, refusal, unansweredOutside, words } from '../../channels/http/outgoing.ts';
import type { ChatChannel, ChatClient, ChatResult, FoundAccount, PostReference } from '../chat-client.ts';
import type { ChatPost, ChatReply } from '../post.ts';
import { mattermostAnswer, mattermostPost, mattermostReply } from './render.ts';

const MAX_ERROR_LENGTH = 200;
/** Setting of a server: for how long posts may be edited. */
const TIME_LIMIT = 'time_limit';

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
    return this.#change(channel, {
      method: 'PUT',
      path: `${encodeURIComponent(id)}/patch`,
      fields: mattermostPost(post),
    });
  }

  async reply(channel: ChatChannel, { channel: id, post }: PostReference, reply: ChatReply): Promise<ChatResult> {
    return this.#create(channel, { channel_id: id, root_id: post, ...mattermostReply(reply) });
  }

  async remove(channel: ChatChannel, { post: id }: PostReference): Promise<ChatResult> {
    return this.#change(channel, { method: 'DELETE', path: encodeURIComponent(id) });
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

  async #create(channel: ChatChannel, fields: object): Promise<ChatResult> {
    const answer = await this.#call(channel, { method: 'POST', path: '', fields });
    if (answer.kind !== 'answered') return unansweredOutside(answer);
    if (answer.status !== 201) return refused(answer, channel);
    const { channel_id: channelId, id } = fieldsOf(answer);
    if (typeof channelId !== 'string' || typeof id !== 'string')
      return { kind: 'unknown', reason: 'its answer cannot be read' };
    return { kind: 'done', reference: { channel: channelId, post: id } };
  }

  /** Mattermost answers 403 about a post that is gone. */
  async #change(channel: ChatChannel, call: Call): Promise<ChatResult> {
    const answer = await this.#call(channel, call);
    if (answer.kind !== 'answered') return unansweredOutside(answer);
    if (answer.status === 200) return { kind: 'done', reference: { channel: channel.chat.channel, post: '' } };
    const isGone = answer.status === 403 || answer.status === 404 || errorOf(answer).includes(TIME_LIMIT);
    return isGone ? { kind: 'gone' } : refused(answer, channel);
  }

  #call({ chat, url }: ChatChannel, { fields, method, path }: Call) {
    return this.#outgoing.call({
      method,
      url: `${url.replace(/\/+$/, '')}/api/v4/posts${path === '' ? '' : `/${path}`}`,
      headers: { authorization: `Bearer ${chat.token}`, 'content-type': 'application/json' },
      ...(fields && { body: JSON.stringify(fields) }),
    });
  }
}

const MattermostUser = z.object({
  email: z.string(),
  username: z.string(),
  is_bot: z.boolean().optional(),
  delete_at: z.number().optional(),
});

interface Call {
  readonly method: OutgoingRequest['method'];
  /** Below the path of posts. */
  readonly path: string;
  readonly fields?: object;
}

/** The name of an error of Mattermost, such as `api.context.permissions.app_error`. */
function errorOf(answer: OutgoingAnswer): string {
  const { id } = fieldsOf(answer);
  return typeof id === 'string' ? id : '';
}

const MEANINGS: Readonly<Record<number, string>> = {
  401: 'the token is wrong, or was revoked',
  403: 'there is no such channel, or the bot is not in it or may not post',
  404: 'there is no such channel',
};

function refused(answer: OutgoingAnswer, { chat }: ChatChannel): ChatResult {
  const meaning = MEANINGS[answer.status];
  const error = abbreviated(words(errorOf(answer), [chat.token]), MAX_ERROR_LENGTH);
  return refusal(answer, meaning === undefined ? error : `${error} (${meaning})`);
}
