import type { Clock } from '@tocsin/core';
import type { ConsumedRecord, ContactMethod, Page, PageMessage } from '@tocsin/events';
import type { Stages } from '@tocsin/kafka';
import { pageDeadLetterDecision } from '../messages/dead-letter.ts';
import type { DeliverMessages, ReservedSlots } from '../queue/deliver-operations.ts';
import { expandWith, expandPage, waitingPage, type ExpandedPage, type NewPages } from './expanded-page.ts';
import { fetchMissing, type UserReplica } from '../messages/user-client.ts';
import { byKind, type PageMessages } from './cancels.ts';
import type { PageStore } from './store.ts';

type Session = Parameters<PageStore['addPages']>[1];

export interface PagePorts {
  readonly store: Pick<PageStore, 'addDecision' | 'addPages' | 'knownPages'>;
  readonly deliver: Pick<DeliverMessages, 'reserveSlots'>;
  readonly users: UserReplica;
  readonly clock: Clock;
  /** The methods that have a provider. */
  readonly channels: ReadonlySet<ContactMethod>;
}

interface PreparedPages {
  /** The users who cannot be looked up now. */
  readonly unresolved: ReadonlySet<string>;
  readonly now: Date;
  readonly slots: ReservedSlots;
}

/**
 * Consumes `pages.v1`: makes messages of pages by the users' notification rules and queues them, each page once (architecture
 * section 4, step 5). A page whose user cannot be looked up waits alone: it delays no other page. Cancels and erases end
 * the pages that they name.
 */
export const pages = (ports: PagePorts): PageStages => {
  const { channels, users } = ports;
  return pageStages(ports, (page, { unresolved, now }) => {
    const user = users.get(page.userId);
    return user === undefined && unresolved.has(page.userId)
      ? waitingPage(page, now)
      : expandPage(page, { user, channels, now });
  });
};

type PageStages = Stages<PageMessage, Session, PreparedPages, ReadonlySet<string>, NewPages>;

/** The stages of pages; `expand` is pure. */
export const pageStages = (
  { clock, deliver, store, users }: Omit<PagePorts, 'channels'>,
  expand: (page: Page, prepared: PreparedPages) => ExpandedPage,
): PageStages => ({
  prepare: async (records) => {
    const userIds = messagesOf(records).pages.map(({ userId }) => userId);
    const unresolved = await fetchMissing(users, userIds);
    return { unresolved, now: clock.now(), slots: deliver.reserveSlots(userIds) };
  },
  // Nearly every page is new, so the first attempt looks none up. A known page fails the insert (duplicate `_id`), and the next
  // attempt looks all up.
  read: (session, records, _, attempt) =>
    attempt === 1
      ? Promise.resolve(new Set())
      : store.knownPages(
          messagesOf(records).pages.map(({ pageId }) => pageId),
          session,
        ),
  decide: (known, records, prepared) => {
    const { pages: all, ...ends } = messagesOf(records);
    const unknown = new Map(all.map((page) => [page.pageId, page]));
    for (const pageId of known) unknown.delete(pageId);
    const expandOne = (page: Page) => expand(page, prepared);
    const expanded = [...unknown.values()].map((page) => ({ page, ...expandWith(page, ends, expandOne) }));
    return { slots: prepared.slots, expanded, ...ends };
  },
  write: (session, changes) => store.addPages(changes, session),
  deadLetter: (session, { value }, reason) =>
    store.addDecision(pageDeadLetterDecision(value, reason, clock.now()), session),
  release: ({ slots }) => {
    slots.release();
  },
});

const messagesOf = (records: readonly ConsumedRecord<PageMessage>[]): PageMessages =>
  byKind(records.map(({ value }) => value));
