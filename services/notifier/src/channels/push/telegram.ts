import { z } from 'zod';
import type { OutgoingAnswer, OutgoingCaller } from '@tocsin/http';
import {
  callBot,
  descriptionOf,
  type Fields,
  isOk,
  isUnchanged,
  refusedByBot,
  type TelegramBot,
} from '../../chat/telegram/bot-api.ts';
import { keyboard, telegramPage } from '../../chat/telegram/render.ts';
import type { SendResult } from '../../messages/attempts.ts';
import type { Provider } from '../channel.ts';
import { acceptedCutOff, fieldsOf, unanswered } from '../http/outgoing.ts';
import type { Push } from './message.ts';
import type { PushedPages } from './pushed-page-store.ts';

/** Up to this priority of a push a message makes no sound. */
const SILENT = 2;

/** The page can be changed no more, so the status update is a message of its own. */
const GONE = /message to edit not found|message can't be edited|MESSAGE_ID_INVALID/i;

/** Pushes to accounts of Telegram, as messages of the bot of the installation (U13). */
export class TelegramPush implements Provider<Push> {
  readonly name = 'telegram';
  readonly #bot: TelegramBot;
  readonly #outgoing: Pick<OutgoingCaller, 'call'>;
  readonly #pages: Pick<PushedPages, 'newest'>;

  constructor(bot: TelegramBot, outgoing: Pick<OutgoingCaller, 'call'>, pages: Pick<PushedPages, 'newest'>) {
    this.#bot = bot;
    this.#outgoing = outgoing;
    this.#pages = pages;
  }

  takes({ service }: Push): boolean {
    return service?.name === 'telegram';
  }

  async send(push: Push): Promise<SendResult> {
    const content = messageOf(push);
    return (
      (await this.#edit(push, content)) ?? this.#call('sendMessage', { ...placeOf(push), ...soundOf(push), ...content })
    );
  }

  /** A status update replaces the page that it makes out of date. Undefined where there is no page to replace. */
  async #edit(push: Push, content: Fields): Promise<SendResult | undefined> {
    const page = push.outdates && (await this.#pages.newest({ ...push.outdates, to: push.topic }));
    const messageId = Number(page?.response);
    if (!Number.isSafeInteger(messageId)) return undefined;
    const fields = { ...placeOf(push), message_id: messageId, ...content };
    const outcome = await callBot(this.#outgoing, this.#bot, 'editMessageText', fields);
    if (outcome.kind !== 'answered') return unanswered(outcome);
    if (isUnchanged(outcome)) return accepted(messageId);
    return GONE.test(descriptionOf(outcome)) ? undefined : this.#result(outcome);
  }

  async #call(method: string, fields: Fields): Promise<SendResult> {
    const outcome = await callBot(this.#outgoing, this.#bot, method, fields);
    return outcome.kind === 'answered' ? this.#result(outcome) : unanswered(outcome);
  }

  #result(answer: OutgoingAnswer): SendResult {
    if (isOk(answer)) {
      const { message_id: id } = (fieldsOf(answer)['result'] ?? {}) as { readonly message_id?: unknown };
      if (typeof id === 'number') return accepted(id);
    }
    if (answer.status === 200 && answer.isTruncated) return acceptedCutOff(answer);
    const refused = refusedByBot(answer, this.#bot);
    // Telegram takes a message a second in a chat: what it asks of one user holds up no other.
    return answer.status === 429 && refused.kind === 'temporary' && refused.retryAfterMs !== undefined
      ? { ...refused, isLimitOfRecipient: true }
      : refused;
  }
}

/** The id of the message, by which a status update finds it. */
const accepted = (messageId: number): SendResult => ({ kind: 'accepted', response: String(messageId) });

const placeOf = ({ service }: Push): Fields => ({ chat_id: service?.key });

const soundOf = ({ priority }: Push): Fields => (priority <= SILENT ? { disable_notification: true } : {});

const BUTTONS = [
  { action: 'acknowledge', label: 'Acknowledge' },
  { action: 'close', label: 'Close' },
] as const;

/** The buttons act on the alert of the message, so a message about several has none. The link acts as well. */
const messageOf = ({ acknowledgeUrl, asksForAction, service, text, title }: Push): Fields => ({
  ...telegramPage(
    title,
    text,
    acknowledgeUrl === undefined ? undefined : { name: 'Acknowledge in the browser', url: acknowledgeUrl },
  ),
  ...keyboard(asksForAction === true && service?.alertKey !== undefined ? BUTTONS : []),
});

export const TELEGRAM_SETTINGS = {
  /** The token of the bot of this installation. Unset: nothing is sent to accounts of Telegram. */
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d{1,20}:[\w-]{10,100}$/, 'should be the token of a bot as BotFather writes it')
    .optional(),
  /** The root of the Bot API. */
  TELEGRAM_URL: z
    .url({ protocol: /^https?$/, error: 'should be a URL such as https://api.telegram.org' })
    .default('https://api.telegram.org'),
} as const;
