import type { AlertEvent, BuriedRecord, NoticeCommand, Page, Settlement } from '@tocsin/contracts';
import { GatheredHandler, type BatchHandler } from '@tocsin/messaging';
import { mayEndPages } from '../domain/wanted.ts';
import type { ExpandPages } from '../application/expand-pages.ts';
import type { TakeNotices } from '../application/take-notices.ts';
import type { AlertStandings } from '../ports/alert-standings.ts';

/** Moves the checkpoint past a record that fails for ever. */
export type Bury = (record: BuriedRecord) => Promise<Settlement>;

/** Settles `pages.v1`: what comes of several partitions at once, together. */
export const pageHandler = (expandPages: ExpandPages, bury: Bury): BatchHandler<Page> =>
  new GatheredHandler<Page>({ settle: (batches) => expandPages.settle(...batches), bury });

/** Settles `notice-commands.v1`. */
export const noticeHandler = (takeNotices: TakeNotices, bury: Bury): BatchHandler<NoticeCommand> => ({
  settle: (batch) => takeNotices.settle(batch),
  bury,
});

/** Settles `alert-events.v1`, of several partitions at once together: keeps what tells whether a message is still wanted. */
export const alertEventHandler = (standings: AlertStandings, bury: Bury): BatchHandler<AlertEvent> =>
  new GatheredHandler<AlertEvent>({
    concerns: mayEndPages,
    settle: (batches) => standings.settleAlerts(batches),
    bury,
  });
