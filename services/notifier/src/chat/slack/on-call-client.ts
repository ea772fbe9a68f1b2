import type { OutgoingAnswer, OutgoingCaller } from '@tocsin/http';
import { z } from 'zod';
import { fieldsOf, unansweredOutside } from '../../channels/http/outgoing.ts';
import type { CallResult, ChatChannel, FoundByMail, OnCallChatClient } from '../chat-client.ts';
import { slackReply, slackTopic } from './render.ts';
import { callSlack, refusedBySlack } from './web-api.ts';

/** Pages of Slack about methods name their scopes. */
const TOPIC_SCOPES = 'channels:write.topic, and in a private channel groups:write.topic';

const GROUP_MEANINGS = {
  no_such_subteam: 'there is no such user group',
  subteam_not_found: 'there is no such user group',
  paid_teams_only: 'user groups need a paid plan of Slack',
  plan_upgrade_required: 'user groups need a paid plan of Slack',
  permission_denied: 'a setting of the workspace forbids apps to change user groups',
};

const NO_ACCOUNT: ReadonlySet<unknown> = new Set(['users_not_found', 'user_not_found']);

/** Shows who is on call in channels of Slack, by its Web API. */
export class SlackOnCallClient implements OnCallChatClient {
  /** Methods of Slack take 50 calls a minute, and those of user groups 20. */
  readonly abilities = { changes: true, paceMs: 1_200 };
  readonly #outgoing: Pick<OutgoingCaller, 'call'>;

  constructor(outgoing: Pick<OutgoingCaller, 'call'>) {
    this.#outgoing = outgoing;
  }

  say(channel: ChatChannel, line: string, mentions?: readonly string[]): Promise<CallResult> {
    const fields = { channel: channel.chat.channel, ...slackReply({ line }, mentions) };
    return this.#call(channel, 'chat.postMessage', fields, {});
  }

  setTopic(channel: ChatChannel, line: string): Promise<CallResult> {
    const fields = { channel: channel.chat.channel, topic: slackTopic(line) };
    return this.#call(channel, 'conversations.setTopic', fields, needing(TOPIC_SCOPES));
  }

  setUserGroup(channel: ChatChannel, group: string, accounts: readonly string[]): Promise<CallResult> {
    const fields = { usergroup: group, users: accounts.join(',') };
    const meanings = { ...GROUP_MEANINGS, ...needing('usergroups:write') };
    return this.#call(channel, 'usergroups.users.update', fields, meanings);
  }

  async accountWith({ chat, url }: ChatChannel, mail: string): Promise<FoundByMail> {
    const answer = await this.#outgoing.call({
      method: 'GET',
      url: `${url.replace(/\/+$/, '')}/users.lookupByEmail?email=${encodeURIComponent(mail)}`,
      headers: { authorization: `Bearer ${chat.token}` },
    });
    if (answer.kind !== 'answered') return unansweredOutside(answer);
    const { error, user } = fieldsOf(answer);
    if (answer.status === 200 && NO_ACCOUNT.has(error)) return { kind: 'found', account: undefined };
    const read = SlackUser.safeParse(user);
    if (!isOk(answer) || !read.success)
      return refusedBySlack(answer, { token: chat.token }, needing('users:read.email'));
    const { deleted = false, id, is_bot: isBot = false } = read.data;
    return { kind: 'found', account: deleted || isBot ? undefined : id };
  }

  async #call(
    { chat, url }: ChatChannel,
    method: string,
    fields: Readonly<Record<string, unknown>>,
    meanings: Readonly<Record<string, string>>,
  ): Promise<CallResult> {
    const app = { url, token: chat.token };
    const answer = await callSlack(this.#outgoing, app, method, fields);
    if (answer.kind !== 'answered') return unansweredOutside(answer);
    return isOk(answer) ? { kind: 'done' } : refusedBySlack(answer, app, meanings);
  }
}

const SlackUser = z.object({ id: z.string(), deleted: z.boolean().optional(), is_bot: z.boolean().optional() });

const isOk = (answer: OutgoingAnswer): boolean => answer.status === 200 && fieldsOf(answer)['ok'] === true;

const needing = (scope: string) => ({ missing_scope: `the app needs the scope ${scope}` });
