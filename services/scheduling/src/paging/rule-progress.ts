import type { EscalationState } from './escalation-state.ts';

/**
 * The progress of the rules of one escalation state, before and within one transition. A rule, in the present repeat of its active
 * escalation, is open, skipped or fired. A skipped or fired one is done: it does not fire at its own time. Its moves:
 *
 * | move     | from    | to      | when                                                                                                   |
 * | -------- | ------- | ------- | ------------------------------------------------------------------------------------------------------ |
 * | `fire`   | open    | fired   | it is due, or the rule before it finds no recipient, or a user escalates                               |
 * | `skip`   | open    | skipped | its condition does not hold when it is due; fired instead, where no later escalate may fire it (A9)    |
 * | `reopen` | skipped | open    | a user escalates, and it fires at once                                                                 |
 *
 * Rules have the keys that `ruleKey` makes.
 */
export class RuleProgress {
  readonly #before: Pick<EscalationState, 'done' | 'skipped'>;
  readonly #keepsSkipped: boolean;
  readonly #doneBefore: Set<string>;
  readonly #skippedBefore: Set<string>;
  readonly #reopened = new Set<string>();
  readonly #doneNow = new Set<string>();
  readonly #skippedNow = new Set<string>();

  /** `keepsSkipped`: rules that are skipped now may be fired by an escalate later. */
  constructor(before: Pick<EscalationState, 'done' | 'skipped'>, keepsSkipped: boolean) {
    this.#before = before;
    this.#keepsSkipped = keepsSkipped;
    this.#doneBefore = new Set(before.done);
    this.#skippedBefore = new Set(before.skipped);
  }

  /** Whether a rule has fired or was skipped by now. */
  isDone(key: string): boolean {
    return this.#doneNow.has(key) || this.#doneBefore.has(key);
  }

  /** Whether a rule has fired by now. */
  hasFired(key: string): boolean {
    return this.isDone(key) && !this.#skippedNow.has(key) && !this.#skippedBefore.has(key);
  }

  /** Whether a rule has become done in this transition. */
  get hasChanged(): boolean {
    return this.#doneNow.size > 0;
  }

  fire(key: string): void {
    this.#doneNow.add(key);
  }

  skip(key: string): void {
    this.#doneNow.add(key);
    if (this.#keepsSkipped) this.#skippedNow.add(key);
  }

  /** Does nothing where the rule was not skipped before this transition. */
  reopen(key: string): void {
    if (!this.#skippedBefore.delete(key)) return;
    this.#doneBefore.delete(key);
    this.#reopened.add(key);
  }

  /** The rules that are done after the transition, and those of them that were skipped. */
  after(): Pick<EscalationState, 'done' | 'skipped'> {
    const kept = (keys: readonly string[]) =>
      this.#reopened.size === 0 ? keys : keys.filter((key) => !this.#reopened.has(key));
    return {
      done: [...kept(this.#before.done), ...this.#doneNow],
      skipped: [...kept(this.#before.skipped), ...this.#skippedNow],
    };
  }
}
