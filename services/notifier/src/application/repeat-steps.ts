import type { ContactMethod, Decision, DecisionVerdict, UserState } from '@tocsin/contracts';
import { givenUp, repeated, type Repetition } from '../domain/repetition.ts';
import type { AlertStanding } from '../domain/wanted.ts';
import type { ExpandedPage, ExpandRepetition } from '../ports/flow-store.ts';
import type { Users } from '../ports/users.ts';
import { expandedPage, stillWaiting } from './expanded-page.ts';
import { fetchMissing } from './fetch-missing.ts';
import { pureOr } from './pure.ts';

export interface RepeatStepsPorts {
  readonly users: Users;
  readonly channels: ReadonlySet<ContactMethod>;
}

/** Starts the steps of pages again whose rules say so, until somebody acknowledges (U4). */
export class RepeatSteps {
  readonly #ports: RepeatStepsPorts;

  constructor(ports: RepeatStepsPorts) {
    this.#ports = ports;
  }

  /**
   * Looks up the users of repetitions that are due, and returns what these come to. A repetition whose user cannot be looked up
   * waits a little longer, by itself.
   */
  async prepare(due: readonly Repetition[], now: Date): Promise<ExpandRepetition> {
    const { users } = this.#ports;
    const away = await fetchMissing(
      users,
      due.map(({ page }) => page.userId),
    );
    return (repetition, standing) => {
      const { userId } = repetition.page;
      const isUnknown = users.get(userId) === undefined && away.has(userId);
      return isUnknown ? stillWaiting(repetition, now) : this.#expand(repetition, standing, now);
    };
  }

  /** Ends the steps of a page; the log says by what fault. */
  giveUp(repetition: Repetition, fault: string, now: Date): ExpandedPage {
    const { deliveries, next, verdicts } = givenUp(repetition, this.#ports.users.get(repetition.page.userId), fault);
    return { deliveries, next, decision: decisionOf(repetition, verdicts, now) };
  }

  #expand(repetition: Repetition, standing: AlertStanding | undefined, now: Date): ExpandedPage {
    const { channels, users } = this.#ports;
    const { number, page } = repetition;
    const user = users.get(page.userId);
    if (number === 0) return this.#expandFirst(repetition, user, now);
    const { deliveries, next, verdicts } = pureOr(
      () => repeated(repetition, { standing, user, channels, now }),
      (fault) => givenUp(repetition, user, fault),
    );
    return { deliveries, next, decision: decisionOf(repetition, verdicts, now) };
  }

  /** Expands a page that waited for its user. */
  #expandFirst(repetition: Repetition, user: UserState | undefined, now: Date): ExpandedPage {
    return pureOr(
      () => expandedPage(repetition.page, { user, channels: this.#ports.channels, now }),
      (fault) => this.giveUp(repetition, fault, now),
    );
  }
}

const decisionOf = ({ number, page }: Repetition, verdicts: readonly DecisionVerdict[], now: Date): Decision => ({
  decisionId: `repeat:${page.pageId}:${number}`,
  alertId: page.alertId,
  stage: 'page',
  at: now.toISOString(),
  verdicts: [...verdicts],
});
