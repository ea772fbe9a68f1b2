import type { Clock } from '@tocsin/clock';
import type { ContactMethod, Decision, DecisionVerdict, UserState } from '@tocsin/contracts';
import { givenUp, repeated, type Repetition } from '../domain/repetition.ts';
import type { AlertStanding } from '../domain/wanted.ts';
import type { ExpandedPage, FlowStore, RepetitionClaim } from '../ports/flow-store.ts';
import type { Users } from '../ports/users.ts';
import type { Deliver } from './deliver.ts';
import { expandedPage, stillWaiting } from './expanded-page.ts';
import { fetchMissing } from './fetch-missing.ts';
import { pureOr } from './pure.ts';

export interface RepeatStepsPorts<C extends RepetitionClaim> {
  readonly store: Pick<FlowStore<C>, 'repeat'>;
  readonly deliver: Pick<Deliver, 'withSlots'>;
  readonly users: Users;
  readonly channels: ReadonlySet<ContactMethod>;
  readonly clock: Clock;
}

/** Starts the steps of pages again whose rules say so, until somebody acknowledges (U4). */
export class RepeatSteps<C extends RepetitionClaim> {
  readonly #ports: RepeatStepsPorts<C>;

  constructor(ports: RepeatStepsPorts<C>) {
    this.#ports = ports;
  }

  /**
   * What belongs to somebody who cannot be looked up waits a little longer, by itself.
   *
   * @throws UnavailableError when the store cannot be reached; what was not written comes again.
   */
  async repeat(claims: readonly C[]): Promise<void> {
    const { clock, deliver, store, users } = this.#ports;
    const userIds = claims.map(({ payload }) => payload.userId);
    const away = await fetchMissing(users, userIds);
    const now = clock.now();
    const expand = (repetition: Repetition, standing: AlertStanding | undefined) => {
      const { userId } = repetition.page;
      const isUnknown = users.get(userId) === undefined && away.has(userId);
      return isUnknown ? stillWaiting(repetition, now) : this.#expand(repetition, standing, now);
    };
    await deliver.withSlots(userIds, (slots) => store.repeat(claims, expand, slots));
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
      (fault) => {
        const { deliveries, next, verdicts } = givenUp(repetition, user, fault);
        return { deliveries, next, decision: decisionOf(repetition, verdicts, now) };
      },
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
