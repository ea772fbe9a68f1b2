import type { OutgoingAnswer, OutgoingCaller } from '@tocsin/http';
import { fieldsOf, unansweredOutside } from '../../channels/http/outgoing.ts';
import type { ChatChannel, ChatResult, PostReference, ShowingClient } from '../chat-client.ts';
import { type ChatPost, type ChatReply, DELETED_POST } from '../post.ts';
import { callBot, descriptionOf, type Fields, isOk, isUnchanged, refusedByBot } from './bot-api.ts';
import { telegramMessage, telegramReply } from './render.ts';

/** Refusals after which a new post is made: there is no message to change. */
const GONE = /message to (?:edit|delete|be replied) not found|message can't be edited|MESSAGE_ID_INVALID/i;
/** A message may be too old to be deleted, and is never too old to be edited. */
const NOT_DELETED = /message can't be deleted/i;

/** Posts in chats of Telegram by its Bot API. The token of the bot is a part of each URL, which no reason has. */
export class TelegramClient implements ShowingClient {
  /** Telegram takes 20 messages a minute in a group. */
  readonly abilities = { changes: true, paceMs: 6_000 };
  readonly #outgoing: Pick<OutgoingCaller, 'call'>;

  constructor(outgoing: Pick<OutgoingCaller, 'call'>) {
    this.#outgoing = outgoing;
  }

  post(channel: ChatChannel, post: ChatPost): Promise<ChatResult> {
    return this.#send(channel, channel.chat.channel, telegramMessage(post));
  }

  async edit(channel: ChatChannel, reference: PostReference, post: ChatPost): Promise<ChatResult> {
    const answer = await this.#call(channel, 'editMessageText', { ...messageAt(reference), ...telegramMessage(post) });
    if (answer.kind !== 'answered') return unansweredOutside(answer);
    return isOk(answer) || isUnchanged(answer) ? { kind: 'done', reference } : refused(answer, channel);
  }

  /** No device makes a sound for it. */
  reply(channel: ChatChannel, { channel: place, post }: PostReference, reply: ChatReply): Promise<ChatResult> {
    const below = { reply_parameters: { message_id: Number(post) }, disable_notification: true };
    return this.#send(channel, place, { ...below, ...telegramReply(reply) });
  }

  /** What is too old to be deleted is edited: no word of the alert stays (C4). */
  async remove(channel: ChatChannel, reference: PostReference): Promise<ChatResult> {
    const answer = await this.#call(channel, 'deleteMessage', messageAt(reference));
    if (answer.kind !== 'answered') return unansweredOutside(answer);
    if (isOk(answer)) return { kind: 'done', reference };
    return NOT_DELETED.test(descriptionOf(answer))
      ? this.edit(channel, reference, DELETED_POST)
      : refused(answer, channel);
  }

  /** `place` is the chat, perhaps with a topic. */
  async #send(channel: ChatChannel, place: string, fields: Fields): Promise<ChatResult> {
    const { chat, topic } = placeIn(place);
    const thread = topic === undefined ? {} : { message_thread_id: Number(topic) };
    const answer = await this.#call(channel, 'sendMessage', { chat_id: chat, ...thread, ...fields });
    if (answer.kind !== 'answered') return unansweredOutside(answer);
    if (!isOk(answer)) return refused(answer, channel);
    const { chat: sentTo, message_id: post } = (fieldsOf(answer)['result'] ?? {}) as SentMessage;
    if (sentTo?.id === undefined || post === undefined) return { kind: 'unknown', reason: 'its answer cannot be read' };
    return {
      kind: 'done',
      reference: { channel: [sentTo.id, ...(topic === undefined ? [] : [topic])].join(':'), post: String(post) },
    };
  }

  #call({ chat, url }: ChatChannel, method: string, fields: Fields) {
    return callBot(this.#outgoing, { url, token: chat.token }, method, fields);
  }
}

interface SentMessage {
  readonly message_id?: number;
  /** Its id, also where it was named. */
  readonly chat?: { readonly id?: number };
}

/** The chat and the topic in the name of a place, `-1001234567890:12`. */
function placeIn(place: string): { readonly chat: string; readonly topic: string | undefined } {
  const [chat = '', topic] = place.split(':');
  return { chat, topic };
}

const messageAt = ({ channel, post }: PostReference): Fields => ({
  chat_id: placeIn(channel).chat,
  message_id: Number(post),
});

function refused(answer: OutgoingAnswer, { chat }: ChatChannel): ChatResult {
  if (answer.status === 400 && GONE.test(descriptionOf(answer))) return { kind: 'gone' };
  return refusedByBot(answer, chat);
}
