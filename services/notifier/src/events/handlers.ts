import type { AlertEvent, BuriedRecord, ConsumedBatch, NoticeCommand, Page, Settlement } from '@tocsin/contracts';
import type { BatchHandler } from '@tocsin/messaging';
import { mayEndPages } from '../domain/wanted.ts';
import type { ExpandPages } from '../application/expand-pages.ts';
import type { TakeNotices } from '../application/take-notices.ts';
import type { AlertStandings } from '../ports/alert-standings.ts';

/** Moves the checkpoint past a record that fails for ever. */
export type Bury = (record: BuriedRecord) => Promise<Settlement>;

const handler = <T>(settle: (batch: ConsumedBatch<T>) => Promise<Settlement>, bury: Bury): BatchHandler<T> => ({
  settle,
  bury: (record) => bury(record),
});

/** Settles `pages.v1`. */
export const pageHandler = (expandPages: ExpandPages, bury: Bury): BatchHandler<Page> =>
  handler((batch) => expandPages.settle(batch), bury);

/** Settles `notice-commands.v1`. */
export const noticeHandler = (takeNotices: TakeNotices, bury: Bury): BatchHandler<NoticeCommand> =>
  handler((batch) => takeNotices.settle(batch), bury);

/** Settles `alert-events.v1`: keeps what tells whether a message is still wanted. */
export const alertEventHandler = (standings: AlertStandings, bury: Bury): BatchHandler<AlertEvent> => ({
  ...handler((batch) => standings.settleAlerts(batch), bury),
  concerns: mayEndPages,
});
