import type { OutgoingAnswer, OutgoingCaller, OutgoingRequest } from '@tocsin/http';
import { fieldsOf, refusal, unansweredOutside } from '../../channels/http/outgoing.ts';
import type { ChatChannel, ChatResult, PostReference, ShowingClient } from '../chat-client.ts';
import type { ChatPost, ChatReply } from '../post.ts';
import { discordMessage, discordReply } from './render.ts';

/** Errors about a message that is not there, or is not of this webhook. */
const GONE: ReadonlySet<unknown> = new Set([10_008, 50_005]);

/** What a user can do about an error of Discord. */
const MEANINGS: Readonly<Record<number, string>> = {
  10_003: 'there is no such channel',
  10_015: 'the webhook was deleted: make another, and set its URL',
  50_027: 'the URL of the webhook is wrong',
  50_083: 'the thread is archived',
  220_001: 'the channel is a forum: add ?thread_id= with the id of a thread to the URL',
};

interface Call {
  readonly method: OutgoingRequest['method'];
  /** The message that is changed; absent for a new one. */
  readonly id?: string;
  readonly fields?: object;
}

/**
 * Posts in a channel of Discord by the URL of a webhook. A webhook cannot reply to a message, so a reply is a further message, which
 * notifies no user.
 */
export class DiscordClient implements ShowingClient {
  /** Discord publishes no rate of webhooks: it answers 429 with the time to wait. */
  readonly abilities = { changes: true, paceMs: 1_000 };
  readonly #outgoing: Pick<OutgoingCaller, 'call'>;

  constructor(outgoing: Pick<OutgoingCaller, 'call'>) {
    this.#outgoing = outgoing;
  }

  post(channel: ChatChannel, post: ChatPost): Promise<ChatResult> {
    return this.#call(channel, { method: 'POST', fields: discordMessage(post) });
  }

  edit(channel: ChatChannel, { post: id }: PostReference, post: ChatPost): Promise<ChatResult> {
    return this.#call(channel, { method: 'PATCH', id, fields: discordMessage(post) });
  }

  reply(channel: ChatChannel, _: PostReference, reply: ChatReply): Promise<ChatResult> {
    return this.#call(channel, { method: 'POST', fields: discordReply(reply) });
  }

  remove(channel: ChatChannel, { post: id }: PostReference): Promise<ChatResult> {
    return this.#call(channel, { method: 'DELETE', id });
  }

  async #call({ url }: ChatChannel, { fields, id, method }: Call): Promise<ChatResult> {
    const answer = await this.#outgoing.call({
      method,
      url: urlOf(url, id),
      ...(fields && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) }),
    });
    if (answer.kind !== 'answered') return unansweredOutside(answer);
    if (answer.status !== 200 && answer.status !== 204) return refused(answer);
    if (id !== undefined) return { kind: 'done', reference: { channel: '', post: id } };
    const { channel_id: channel, id: made } = fieldsOf(answer);
    if (typeof channel !== 'string' || typeof made !== 'string')
      return { kind: 'unknown', reason: 'its answer cannot be read' };
    return { kind: 'done', reference: { channel, post: made } };
  }
}

/** The URL of a message, or of the webhook, which waits until the message is stored. A thread that the URL names stays. */
function urlOf(webhook: string, id: string | undefined): string {
  const url = new URL(webhook);
  if (id === undefined) url.searchParams.set('wait', 'true');
  else url.pathname = `${url.pathname.replace(/\/+$/, '')}/messages/${encodeURIComponent(id)}`;
  return url.href;
}

/** The number of an error says what is wrong. The text is left out: it may repeat the URL, which is a secret. */
function refused(answer: OutgoingAnswer): ChatResult {
  const { code, retry_after: retryAfter } = fieldsOf(answer);
  if (GONE.has(code)) return { kind: 'gone' };
  const retryAfterMs = answer.retryAfterMs ?? (typeof retryAfter === 'number' ? Math.ceil(retryAfter * 1_000) : 0);
  const timed = retryAfterMs > 0 ? { ...answer, retryAfterMs } : answer;
  return refusal(timed, typeof code === 'number' ? errorText(code) : '');
}

function errorText(code: number): string {
  const meaning = MEANINGS[code];
  return meaning === undefined ? `error ${code}` : `error ${code} (${meaning})`;
}
