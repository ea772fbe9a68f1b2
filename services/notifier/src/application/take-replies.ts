import type { Clock } from '@tocsin/clock';
import { digitsOf } from '../domain/answerable.ts';
import { toldOfAnswer, type AnswerOutcome } from '../domain/answer-outcome.ts';
import { HOW_TO_REPLY, readReply } from '../domain/reply.ts';
import type { IncomingText } from '../ports/callback-provider.ts';
import type { ReplyCodes } from '../ports/reply-codes.ts';
import type { ReplyLimits } from '../ports/reply-limits.ts';
import type { AnswerAlerts } from './answer-alerts.ts';

/** Names and addresses of senders may have digits too, and are no numbers. */
const WRITTEN_NUMBER = /^\+?[\d\s().-]{2,40}$/;
/** A country code and a number (U3). */
const NUMBER = /^\d{2,18}$/;

/**
 * What came of a reply. `stranger`: its number was never given a code; `limited`: too many came from it; `unreadable`: it asks
 * for nothing, or by a code that its number was not given.
 */
type ReplyOutcome = AnswerOutcome | 'stranger' | 'limited' | 'unreadable';

/** What is answered to a reply; nothing where `says` is absent. */
export interface ReplyAnswer {
  readonly outcome: ReplyOutcome;
  readonly says?: string;
}

export interface TakeRepliesPorts {
  readonly codes: Pick<ReplyCodes, 'find' | 'isKnown'>;
  readonly answers: Pick<AnswerAlerts, 'answer'>;
  readonly limits: ReplyLimits;
  readonly clock: Clock;
}

/** Takes replies to text messages: `ack` or `close`, and the code of the message (U9). Strangers hear nothing. */
export class TakeReplies {
  readonly #ports: TakeRepliesPorts;

  constructor(ports: TakeRepliesPorts) {
    this.#ports = ports;
  }

  /** @throws as {@link AnswerAlerts.answer}, and what the store of codes throws. */
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
    return { outcome, says: toldOfAnswer(`#${tinyId}`, asked.action, outcome) };
  }

  async #hint(number: string): Promise<ReplyAnswer> {
    const { codes, limits } = this.#ports;
    if (!(await codes.isKnown(number))) return { outcome: 'stranger' };
    return { outcome: 'unreadable', ...(limits.mayBeTold(number) && { says: HOW_TO_REPLY }) };
  }
}
