import type { Clock } from '@tocsin/clock';
import type { ContactMethod, ConsumedBatch, Page, Settlement } from '@tocsin/contracts';
import type { Deliver } from './deliver.ts';
import type { FlowStore } from '../ports/flow-store.ts';
import type { Users } from '../ports/users.ts';
import { expandedPage, waitingPage } from './expanded-page.ts';
import { fetchMissing } from './fetch-missing.ts';
import { pure } from './pure.ts';

export interface ExpandPagesPorts {
  readonly store: Pick<FlowStore, 'settlePages'>;
  readonly deliver: Pick<Deliver, 'withSlots'>;
  readonly users: Users;
  readonly clock: Clock;
  /** The methods that have a provider. */
  readonly channels: ReadonlySet<ContactMethod>;
}

/** Turns pages into deliveries by the users' notification rules, each page once (architecture section 4, step 5). */
export class ExpandPages {
  readonly #ports: ExpandPagesPorts;

  constructor(ports: ExpandPagesPorts) {
    this.#ports = ports;
  }

  /** A page whose user cannot be looked up waits by itself: those before and behind it go on. */
  async settle(...batches: readonly ConsumedBatch<Page>[]): Promise<Settlement> {
    const { channels, clock, deliver, store, users } = this.#ports;
    const userIds = batches.flatMap(({ records }) => records.map(({ value }) => value.userId));
    const away = await fetchMissing(users, userIds);
    const now = clock.now();
    const expand = (page: Page) =>
      pure(() => {
        const user = users.get(page.userId);
        return user === undefined && away.has(page.userId)
          ? waitingPage(page, now)
          : expandedPage(page, { user, channels, now });
      });
    return deliver.withSlots(userIds, (slots) => store.settlePages(batches, expand, slots));
  }
}
