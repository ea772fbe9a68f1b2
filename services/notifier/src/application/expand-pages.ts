import type { ContactMethod, ConsumedBatch, Page, Settlement } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import { planPage } from '../domain/flow.ts';
import { announced, firstRepetition } from '../domain/repetition.ts';
import type { ExpandedPage, FlowStore, RepetitionClaim } from '../ports/flow-store.ts';
import type { Users } from '../ports/users.ts';
import { fetchMissing } from './fetch-missing.ts';
import { pure } from './pure.ts';

export interface ExpandPagesPorts {
  readonly store: Pick<FlowStore<RepetitionClaim>, 'settlePages'>;
  readonly users: Users;
  /** The methods that have a provider. */
  readonly channels: ReadonlySet<ContactMethod>;
}

/** Turns pages into deliveries by the users' notification rules, each page once (architecture section 4, step 5). */
export class ExpandPages {
  readonly #ports: ExpandPagesPorts;

  constructor(ports: ExpandPagesPorts) {
    this.#ports = ports;
  }

  /** Never throws: while a user cannot be looked up, their batch waits, and is refused among others so that those need not. */
  async settle(...batches: readonly ConsumedBatch<Page>[]): Promise<Settlement> {
    const { store, users } = this.#ports;
    try {
      await fetchMissing(
        users,
        batches.flatMap(({ records }) => records.map(({ value }) => value.userId)),
      );
    } catch (error) {
      if (error instanceof UnavailableError)
        return { outcome: batches.length > 1 ? 'refused' : 'retry', reason: error.message };
      throw error;
    }
    return store.settlePages(batches, (page) => pure(() => this.#expand(page)));
  }

  #expand(page: Page): ExpandedPage {
    const plan = planPage(page, this.#ports.users.get(page.userId), this.#ports.channels);
    const next = firstRepetition(page, plan);
    return {
      deliveries: plan.deliveries,
      next,
      decision: {
        decisionId: `page:${page.pageId}`,
        alertId: page.alertId,
        stage: 'page',
        at: page.pagedAt,
        verdicts: [...plan.choice, ...plan.steps, ...(next === undefined ? [] : [announced(next)])],
      },
    };
  }
}
