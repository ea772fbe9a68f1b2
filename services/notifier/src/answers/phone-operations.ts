import type { Clock } from '@tocsin/core';
import type { IncomingText, KeyQuestion } from '../channels/callback-provider.ts';
import { type AnswerAction, type AnswerOutcome, digitsOf, answerText } from './answer.ts';
import type { AnswerAlerts } from './operations.ts';
import { HOW_TO_REPLY, readReply } from './reply.ts';
import type { ReplyCodes } from './store.ts';
import type { NumberLimits } from '../channels/sms/number-limits.ts';

/** How often a user is asked for a key during one call. */
const MAX_QUESTIONS = 3;

const ACTIONS: Readonly<Record<string, AnswerAction>> = { 1: 'acknowledge', 2: 'close' };

/** The reply to a key. */
export interface KeyAnswer {
  /** `unreadable`: the key has no meaning. */
  readonly outcome: AnswerOutcome | 'unreadable';
  readonly says: string;
  /** The next question; absent where the call ends. */
  readonly next?: KeyQuestion;
}

/** Takes the keys that users press during a call: 1 acknowledges its alert, 2 closes it (U20). */
export class TakeKeys {
  readonly #answers: Pick<AnswerAlerts, 'answer'>;

  constructor(answers: Pick<AnswerAlerts, 'answer'>) {
    this.#answers = answers;
  }

  /**
   * After any other key the call asks again, three times in all.
   *
   * @throws as {@link AnswerAlerts.answer}.
   */
  async take({ about, asked }: KeyQuestion, key: string): Promise<KeyAnswer> {
    const alert = `Alert ${about.tinyId}`;
    const action = Object.hasOwn(ACTIONS, key) ? ACTIONS[key] : undefined;
    if (action !== undefined) {
      const outcome = await this.#answers.answer(about, action, { by: 'key', method: 'voice' });
      return { outcome, says: answerText(alert, action, outcome) };
    }
    const says = `${alert}: this key means nothing, and nothing was changed.`;
    return { outcome: 'unreadable', says, ...(asked < MAX_QUESTIONS && { next: { about, asked: asked + 1 } }) };
  }
}

/** Names and addresses of senders may have digits too, and are no numbers. */
const WRITTEN_NUMBER = /^\+?[\d\s().-]{2,40}$/;
/** A country code and a number (U3). */
const NUMBER = /^\d{2,18}$/;

/**
 * The result of a reply. `stranger`: no message with a code was ever sent to the number; `limited`: too many replies came from it;
 * `unreadable`: the reply requests nothing, or has a code that was not sent to the number.
 */
type ReplyOutcome = AnswerOutcome | 'stranger' | 'limited' | 'unreadable';

/** The answer to a reply; none where `says` is absent. */
export interface ReplyAnswer {
  readonly outcome: ReplyOutcome;
  readonly says?: string;
}

export interface TakeRepliesPorts {
  readonly codes: Pick<ReplyCodes, 'find' | 'isKnown'>;
  readonly answers: Pick<AnswerAlerts, 'answer'>;
  readonly limits: Pick<NumberLimits, 'mayReply' | 'mayGetHint'>;
  readonly clock: Clock;
}

/**
 * Takes replies to text messages: `ack` or `close`, and the code of the message (U21). A number to which no code was ever sent gets
 * no reply.
 */
export class TakeReplies {
  readonly #ports: TakeRepliesPorts;

  constructor(ports: TakeRepliesPorts) {
    this.#ports = ports;
  }

  /** @throws as {@link AnswerAlerts.answer}, and errors of the store of codes. */
  async take({ from, text }: IncomingText): Promise<ReplyAnswer> {
    const { answers, clock, codes, limits } = this.#ports;
    const number = digitsOf(from);
    if (!WRITTEN_NUMBER.test(from) || !NUMBER.test(number)) return { outcome: 'stranger' };
    if (!limits.mayReply(number)) return { outcome: 'limited' };
    const asked = readReply(text);
    const about = asked && (await codes.find(number, asked.code));
    if (asked === undefined || about === undefined) return this.#hint(number);
    const { expiresAt, tinyId } = about;
    const isOver = clock.now() >= expiresAt;
    const outcome = isOver ? 'expired' : await answers.answer(about, asked.action, { by: 'reply', method: 'sms' });
    return { outcome, says: answerText(`#${tinyId}`, asked.action, outcome) };
  }

  async #hint(number: string): Promise<ReplyAnswer> {
    const { codes, limits } = this.#ports;
    if (!(await codes.isKnown(number))) return { outcome: 'stranger' };
    return { outcome: 'unreadable', ...(limits.mayGetHint(number) && { says: HOW_TO_REPLY }) };
  }
}
