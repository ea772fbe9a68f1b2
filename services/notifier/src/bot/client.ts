import type { OutgoingCaller } from '@tocsin/http';
import type { AnswerAction } from '../answers/answer.ts';
import { fieldsOf, unanswered } from '../channels/http/outgoing.ts';
import { LABELS } from '../chat/button.ts';
import { callBot, refusedByBot, type TelegramBot } from '../chat/telegram/bot-api.ts';
import { keyboard, telegramAnswer } from '../chat/telegram/render.ts';
import { type Update, UPDATE_KINDS, updatesIn } from './update.ts';

/** For how long Telegram holds an answer back until there is an update. */
const HELD_SECONDS = 25;
/** How many updates are taken at a time. */
const MAX_UPDATES = 10;

/** A message by the ids of Telegram. */
interface MessageInChat {
  readonly chat: string;
  readonly message: string;
}

/** The longest answer to a press. */
const MAX_ANSWER = 200;

/** New updates, or why there are none. `isForGood`: it does not pass by itself. */
export type ReadUpdates =
  | { readonly kind: 'read'; readonly updates: readonly Update[] }
  | {
      readonly kind: 'failed';
      /** Without secrets. */
      readonly reason: string;
      readonly isForGood: boolean;
      readonly retryAfterMs?: number | undefined;
    };

/** The bot of the installation. No call rejects. */
export class BotClient {
  readonly #bot: TelegramBot;
  readonly #outgoing: Pick<OutgoingCaller, 'call'>;
  #limit = MAX_UPDATES;

  /** `outgoing` waits for longer than {@link HELD_SECONDS}. */
  constructor(bot: TelegramBot, outgoing: Pick<OutgoingCaller, 'call'>) {
    this.#bot = bot;
    this.#outgoing = outgoing;
  }

  /**
   * The oldest updates that are not confirmed, at most 10; waits up to 25 s for one. `offset` confirms all updates before it: Telegram forgets
   * them.
   */
  async updates(offset: number | undefined, stopping: AbortSignal): Promise<ReadUpdates> {
    const fields = {
      timeout: HELD_SECONDS,
      limit: this.#limit,
      allowed_updates: UPDATE_KINDS,
      ...(offset && { offset }),
    };
    const outcome = await callBot(this.#outgoing, this.#bot, 'getUpdates', fields, stopping);
    if (outcome.kind !== 'answered') return { kind: 'failed', reason: unanswered(outcome).reason, isForGood: false };
    const updates = updatesIn(fieldsOf(outcome));
    // One update alone is never too long.
    this.#limit = outcome.isTruncated ? 1 : MAX_UPDATES;
    if (updates !== undefined) return { kind: 'read', updates };
    const refused = refusedByBot(outcome, this.#bot);
    return {
      kind: 'failed',
      reason: refused.reason,
      isForGood: refused.kind === 'permanent',
      retryAfterMs: refused.kind === 'temporary' ? refused.retryAfterMs : undefined,
    };
  }

  /** Answers a press of a button, for the presser alone. `isAlert`: they have to close it. */
  async answer(pressId: string, text: string, isAlert: boolean): Promise<void> {
    const fields = { callback_query_id: pressId, text: text.slice(0, MAX_ANSWER), show_alert: isAlert };
    await callBot(this.#outgoing, this.#bot, 'answerCallbackQuery', fields);
  }

  /** Removes the other buttons below a message. */
  async keepButtons({ chat, message }: MessageInChat, actions: readonly AnswerAction[]): Promise<void> {
    const { reply_markup = { inline_keyboard: [] } } = keyboard(
      actions.map((action) => ({ action, label: LABELS[action] })),
    );
    const fields = { chat_id: chat, message_id: Number(message), reply_markup };
    await callBot(this.#outgoing, this.#bot, 'editMessageReplyMarkup', fields);
  }

  /** Says something in a chat, if Telegram takes it. */
  async say(chat: string, text: string): Promise<void> {
    await callBot(this.#outgoing, this.#bot, 'sendMessage', { chat_id: chat, ...telegramAnswer(text) });
  }
}
