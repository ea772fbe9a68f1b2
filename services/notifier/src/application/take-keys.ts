import type { AlertAct } from '../domain/alert-act.ts';
import { toldOfAnswer, type AnswerOutcome } from '../domain/answer-outcome.ts';
import type { KeyQuestion } from '../ports/callback-provider.ts';
import type { AnswerAlerts } from './answer-alerts.ts';

/** How often somebody is asked for a key during one call. */
const MOST_ASKED = 3;

const ACTIONS: Readonly<Record<string, AlertAct['action']>> = { 1: 'acknowledge', 2: 'close' };

/** What somebody hears who has pressed a key. */
export interface KeyAnswer {
  /** `unreadable`: a key that means nothing. */
  readonly outcome: AnswerOutcome | 'unreadable';
  readonly says: string;
  /** What is asked next; absent where the call ends. */
  readonly next?: KeyQuestion;
}

/** Takes the keys that people press during a call: 1 acknowledges its alert, 2 closes it (U9). */
export class TakeKeys {
  readonly #answers: Pick<AnswerAlerts, 'answer'>;

  constructor(answers: Pick<AnswerAlerts, 'answer'>) {
    this.#answers = answers;
  }

  /**
   * Any other key changes nothing, and the question is asked again, three times in all.
   *
   * @throws as {@link AnswerAlerts.answer}.
   */
  async take({ about, asked }: KeyQuestion, key: string): Promise<KeyAnswer> {
    const alert = `Alert ${about.tinyId}`;
    const action = Object.hasOwn(ACTIONS, key) ? ACTIONS[key] : undefined;
    if (action !== undefined) {
      const outcome = await this.#answers.answer(about, action, { by: 'key', method: 'voice' });
      return { outcome, says: toldOfAnswer(alert, action, outcome) };
    }
    const says = `${alert}: this key means nothing, and nothing was changed.`;
    return { outcome: 'unreadable', says, ...(asked < MOST_ASKED && { next: { about, asked: asked + 1 } }) };
  }
}
