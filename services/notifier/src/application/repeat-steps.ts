import type { Clock } from '@tocsin/clock';
import type { ContactMethod } from '@tocsin/contracts';
import { givenUp, repeated, type Repetition } from '../domain/repetition.ts';
import type { AlertStanding } from '../domain/wanted.ts';
import type { ExpandedPage, FlowStore, RepetitionClaim } from '../ports/flow-store.ts';
import type { Users } from '../ports/users.ts';
import { fetchMissing } from './fetch-missing.ts';
import { pureOr } from './pure.ts';

export interface RepeatStepsPorts<C extends RepetitionClaim> {
  readonly store: Pick<FlowStore<C>, 'repeat'>;
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

  /** @throws UnavailableError when users or the store cannot be reached; what was not written comes again. */
  async repeat(claims: readonly C[]): Promise<void> {
    const { clock, store, users } = this.#ports;
    await fetchMissing(
      users,
      claims.map(({ payload }) => payload.userId),
    );
    const now = clock.now();
    await store.repeat(claims, (repetition, standing) => this.#expand(repetition, standing, now));
  }

  #expand(repetition: Repetition, standing: AlertStanding | undefined, now: Date): ExpandedPage {
    const { channels, users } = this.#ports;
    const { number, page } = repetition;
    const user = users.get(page.userId);
    const { deliveries, next, verdicts } = pureOr(
      () => repeated(repetition, { standing, user, channels, now }),
      (fault) => givenUp(repetition, user, fault),
    );
    return {
      deliveries,
      next,
      decision: {
        decisionId: `repeat:${page.pageId}:${number}`,
        alertId: page.alertId,
        stage: 'page',
        at: now.toISOString(),
        verdicts: [...verdicts],
      },
    };
  }
}
