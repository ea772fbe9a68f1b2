import type { AlertEvent, BuriedRecord, ConsumedBatch, Page, Settlement } from '@tocsin/contracts';
import { mayPage } from '../domain/wanted.ts';
import type { ExpandPages } from '../application/expand-pages.ts';
import type { Claim, NotificationStore } from '../ports/notification-store.ts';

interface Handler<T> {
  settle(batch: ConsumedBatch<T>): Promise<Settlement>;
  bury(record: BuriedRecord): Promise<Settlement>;
}

/** Settles `pages.v1`. */
export function pageHandler(expandPages: ExpandPages, store: NotificationStore<Claim>): Handler<Page> {
  return { settle: (batch) => expandPages.settle(batch), bury: (record) => store.bury(record) };
}

/** Settles `alert-events.v1`: keeps what tells whether a message is still wanted. */
export function alertEventHandler(
  store: NotificationStore<Claim>,
): Handler<AlertEvent> & { concerns(event: AlertEvent): boolean } {
  return { concerns: mayPage, settle: (batch) => store.settleAlerts(batch), bury: (record) => store.bury(record) };
}
