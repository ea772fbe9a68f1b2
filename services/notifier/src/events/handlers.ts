import type { Clock } from '@tocsin/clock';
import type { AlertEvent, Decision, NoticeCommand, Page, ShiftNotice, WebhookCommand } from '@tocsin/contracts';
import { GatheredHandler, type BatchHandler } from '@tocsin/messaging';
import { buriedEvent, buriedNotice, buriedPage, buriedShift } from '../application/buried-decision.ts';
import type { ExpandPages } from '../application/expand-pages.ts';
import type { TakeNotices } from '../application/take-notices.ts';
import type { TakeShifts } from '../application/take-shifts.ts';
import { buriedWebhook } from '../application/webhooks/webhook-decision.ts';
import type { AlertStandings } from '../ports/alert-standings.ts';
import type { Burials } from '../ports/burials.ts';
import type { WebhookStore } from '../ports/webhook-store.ts';

/** What every handler needs to leave behind what fails for ever. */
export interface Burying {
  readonly burials: Burials;
  readonly clock: Clock;
}

/** Settles `pages.v1`. Batches of several partitions share one transaction. */
export const pageHandler = (expandPages: ExpandPages, burying: Burying): BatchHandler<Page> =>
  new GatheredHandler<Page>({
    settle: (batches) => expandPages.settle(...batches),
    bury: burier(burying, buriedPage),
  });

/** Settles `notice-commands.v1`. */
export const noticeHandler = (takeNotices: TakeNotices, burying: Burying): BatchHandler<NoticeCommand> => ({
  settle: (batch) => takeNotices.settle(batch),
  bury: burier(burying, buriedNotice),
});

/** Settles `shift-notices.v1`. */
export const shiftHandler = (takeShifts: TakeShifts, burying: Burying): BatchHandler<ShiftNotice> => ({
  settle: (batch) => takeShifts.settle(batch),
  bury: burier(burying, buriedShift),
});

/** Settles `alert-events.v1`: keeps what says whether a message is wanted. Several partitions share one transaction. */
export const alertEventHandler = (standings: AlertStandings, burying: Burying): BatchHandler<AlertEvent> =>
  new GatheredHandler<AlertEvent>({
    settle: (batches) => standings.settleAlerts(batches),
    bury: burier(burying, buriedEvent),
  });

/** Settles `webhook-commands.v1`. Several partitions share one transaction. */
export const webhookHandler = (store: Pick<WebhookStore, 'settle'>, burying: Burying): BatchHandler<WebhookCommand> =>
  new GatheredHandler<WebhookCommand>({
    settle: (batches) => store.settle(batches, burying.clock.now()),
    bury: burier(burying, buriedWebhook),
  });

function burier<T>(
  { burials, clock }: Burying,
  decisionOf: (value: T, reason: string, now: Date) => Decision,
): BatchHandler<T>['bury'] {
  return (record, reason) =>
    burials.bury(record, record.value === undefined ? undefined : decisionOf(record.value, reason, clock.now()));
}
