import type { ContactMethod, Decision, DecisionFinding, UserState } from '@tocsin/events';
import { finished } from '@tocsin/core';
import { giveUp, waitsForUser, repeatSteps, type Repetition } from './repetition.ts';
import { type ExpandedPage, type ExpandRepetition, cancelledPage, expandPage, stillWaiting } from './expanded-page.ts';
import { type UserReplica, fetchMissing } from '../messages/user-client.ts';
import { catchFault } from '../messages/dead-letter.ts';

export interface RepeatStepsPorts {
  readonly users: UserReplica;
  readonly channels: ReadonlySet<ContactMethod>;
}

/** Repeats the steps of pages whose rules ask for it, until an acknowledgement (U4). */
export class RepeatSteps {
  readonly #ports: RepeatStepsPorts;

  constructor(ports: RepeatStepsPorts) {
    this.#ports = ports;
  }

  /**
   * Looks up the users of due repetitions, and returns the results. A repetition whose user cannot be looked up
   * waits alone for longer.
   */
  async prepare(due: readonly Repetition[], now: Date): Promise<ExpandRepetition> {
    const { users } = this.#ports;
    const unresolved = await fetchMissing(
      users,
      due.map(({ page }) => page.userId),
    );
    return (repetition) => {
      const { userId } = repetition.page;
      const isUnknown = users.get(userId) === undefined && unresolved.has(userId);
      return isUnknown ? stillWaiting(repetition, now) : this.#expand(repetition, now);
    };
  }

  /** Ends the steps of a page; the log has the fault. */
  giveUp(repetition: Repetition, fault: string, now: Date): ExpandedPage {
    const { deliveries, next, findings } = giveUp(repetition, this.#ports.users.get(repetition.page.userId), fault);
    return { deliveries, next, decision: decisionOf(repetition, findings, now) };
  }

  #expand(repetition: Repetition, now: Date): ExpandedPage {
    const { channels, users } = this.#ports;
    const { page } = repetition;
    const user = users.get(page.userId);
    if (waitsForUser(repetition)) return this.#expandFirst(repetition, user, now);
    const { deliveries, next, findings } = catchFault(
      () => finished(repeatSteps(repetition, { user, channels, now })),
      (fault) => giveUp(repetition, user, fault),
    );
    return { deliveries, next, decision: decisionOf(repetition, findings, now) };
  }

  /** Expands a page that waited for its user. */
  #expandFirst(repetition: Repetition, user: UserState | undefined, now: Date): ExpandedPage {
    const { cancelReason, page } = repetition;
    return catchFault(
      () => {
        const expanded = expandPage(page, { user, channels: this.#ports.channels, now });
        return cancelReason === undefined ? expanded : cancelledPage(expanded, cancelReason);
      },
      (fault) => this.giveUp(repetition, fault, now),
    );
  }
}

const decisionOf = ({ number, page }: Repetition, findings: readonly DecisionFinding[], now: Date): Decision => ({
  decisionId: `repeat:${page.pageId}:${number}`,
  alertId: page.alertId,
  stage: 'page',
  at: now.toISOString(),
  findings: [...findings],
});
