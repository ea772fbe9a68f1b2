import { createHash } from 'node:crypto';
import type { OutgoingAnswer, OutgoingCaller } from '@tocsin/http';
import { abbreviated } from '@tocsin/rules';
import { fieldsOf, refusal, unansweredOutside, urlSecrets, words } from '../../channels/http/outgoing.ts';
import type { ChatChannel, ChatResult, PostKeys, PostReference, ShowingClient } from '../chat-client.ts';
import type { ChatPost, ChatReply } from '../post.ts';
import { googleChatMessage, googleChatReply } from './render.ts';

const MAX_ERROR_LENGTH = 100;

/** What a user can do about an answer of Google Chat. */
const MEANINGS: Readonly<Record<number, string>> = {
  400: 'the URL is wrong',
  401: 'the URL is wrong',
  403: 'the URL is wrong, or webhooks are not allowed in the space',
  404: 'the webhook or its space was deleted: make another, and set its URL',
};

/**
 * Posts cards in a space of Google Chat by the URL of a webhook, which can edit and remove nothing. All messages about an alert are in one
 * thread, and one that is sent twice is made once.
 */
export class GoogleChatClient implements ShowingClient {
  /** A webhook may send a message a second to a space. */
  readonly abilities = { changes: false, paceMs: 1_200 };
  readonly #outgoing: Pick<OutgoingCaller, 'call'>;

  constructor(outgoing: Pick<OutgoingCaller, 'call'>) {
    this.#outgoing = outgoing;
  }

  post(channel: ChatChannel, post: ChatPost, keys: PostKeys): Promise<ChatResult> {
    return this.#send(channel, googleChatMessage(post), keys);
  }

  edit(): Promise<ChatResult> {
    return Promise.resolve({ kind: 'gone' });
  }

  reply(channel: ChatChannel, _: PostReference, reply: ChatReply, keys: PostKeys): Promise<ChatResult> {
    return this.#send(channel, googleChatReply(reply), keys);
  }

  remove(): Promise<ChatResult> {
    return Promise.resolve({ kind: 'gone' });
  }

  async #send({ url }: ChatChannel, message: object, { message: id, thread }: PostKeys): Promise<ChatResult> {
    const to = new URL(url);
    to.searchParams.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD');
    to.searchParams.set('requestId', createHash('sha256').update(id).digest('hex'));
    const answer = await this.#outgoing.call({
      method: 'POST',
      url: to.href,
      headers: { 'content-type': 'application/json; charset=UTF-8' },
      body: JSON.stringify({ ...message, thread: { threadKey: thread } }),
    });
    if (answer.kind !== 'answered') return unansweredOutside(answer);
    if (answer.status !== 200) return refused(answer, url);
    const { name } = fieldsOf(answer);
    if (typeof name !== 'string') return { kind: 'unknown', reason: 'its answer cannot be read' };
    return { kind: 'done', reference: { channel: thread, post: name } };
  }
}

/** The status of an error says what is wrong, such as `NOT_FOUND`. Its text may repeat the URL, which is a secret. */
function refused(answer: OutgoingAnswer, url: string): ChatResult {
  const { error } = fieldsOf(answer);
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  const said = typeof status === 'string' ? abbreviated(words(status, urlSecrets(url)), MAX_ERROR_LENGTH) : '';
  const meaning = MEANINGS[answer.status];
  return refusal(answer, meaning === undefined ? said : `${said} (${meaning})`.trim());
}
