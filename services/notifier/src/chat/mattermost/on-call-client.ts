import type { OutgoingCaller } from '@tocsin/http';
import { z } from 'zod';
import { fieldsOf, unansweredOutside } from '../../channels/http/outgoing.ts';
import type { CallResult, ChatChannel, FoundByMail, OnCallChatClient } from '../chat-client.ts';
import { callMattermost, type MattermostCall, refusedByMattermost } from './api.ts';
import { mattermostHeader, mattermostReply } from './render.ts';

/** Shows who is on call in channels of Mattermost, by its API 4. */
export class MattermostOnCallClient implements OnCallChatClient {
  /** Ten requests a second, where an operator limits it. */
  readonly abilities = { changes: true, paceMs: 200 };
  readonly #outgoing: Pick<OutgoingCaller, 'call'>;

  constructor(outgoing: Pick<OutgoingCaller, 'call'>) {
    this.#outgoing = outgoing;
  }

  say(channel: ChatChannel, line: string, mentions?: readonly string[]): Promise<CallResult> {
    const body = { channel_id: channel.chat.channel, ...mattermostReply({ line }, mentions) };
    return this.#call(channel, { method: 'POST', path: 'posts', body }, 201);
  }

  setTopic(channel: ChatChannel, line: string): Promise<CallResult> {
    const path = `channels/${encodeURIComponent(channel.chat.channel)}/patch`;
    return this.#call(channel, { method: 'PUT', path, body: { header: mattermostHeader(line) } }, 200);
  }

  setUserGroup(): Promise<CallResult> {
    return Promise.resolve({ kind: 'permanent', reason: 'user groups are those of Slack alone' });
  }

  async accountWith({ chat, url }: ChatChannel, mail: string): Promise<FoundByMail> {
    const bot = { url, token: chat.token };
    const path = `users/email/${encodeURIComponent(mail)}`;
    const answer = await callMattermost(this.#outgoing, bot, { method: 'GET', path });
    if (answer.kind !== 'answered') return unansweredOutside(answer);
    if (answer.status === 404) return { kind: 'found', account: undefined };
    if (answer.status !== 200) return refusedByMattermost(answer, bot);
    const read = MattermostUser.safeParse(fieldsOf(answer));
    if (!read.success) return { kind: 'unknown', reason: 'its answer cannot be read' };
    const { delete_at: deletedAt = 0, is_bot: isBot = false, username } = read.data;
    return { kind: 'found', account: isBot || deletedAt !== 0 ? undefined : username };
  }

  async #call({ chat, url }: ChatChannel, call: MattermostCall, success: number): Promise<CallResult> {
    const bot = { url, token: chat.token };
    const answer = await callMattermost(this.#outgoing, bot, call);
    if (answer.kind !== 'answered') return unansweredOutside(answer);
    return answer.status === success ? { kind: 'done' } : refusedByMattermost(answer, bot);
  }
}

const MattermostUser = z.object({
  username: z.string(),
  is_bot: z.boolean().optional(),
  delete_at: z.number().optional(),
});
