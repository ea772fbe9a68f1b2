import type { ConsumedBatch, Decision, NoticeCommand, Page, Settlement, ShiftNotice } from '@tocsin/contracts';
import type { NoticeDelivery, PageDelivery, ShiftDelivery } from '../domain/delivery.ts';
import type { Repetition } from '../domain/repetition.ts';
import type { AlertStanding } from '../domain/wanted.ts';
import type { Slots } from './delivery-store.ts';

/** What one page comes to, or one repetition of its steps. */
export interface ExpandedPage {
  readonly deliveries: readonly PageDelivery[];
  /** What the log is told, if anything. */
  readonly decision: Decision | undefined;
  /** The next repetition, where there is one. */
  readonly next: Repetition | undefined;
}

/** What one notice comes to, of a shift or another. */
export interface ExpandedNotice {
  readonly deliveries: readonly (NoticeDelivery | ShiftDelivery)[];
  readonly decision: Decision;
}

/** What a repetition that is due comes to, with what is known of its alert. It is pure. */
export type ExpandRepetition = (repetition: Repetition, standing: AlertStanding | undefined) => ExpandedPage;

/**
 * Where pages and notices become deliveries; every method is one transaction. It also begins a message that is due at once, when
 * `slots` has one free, its person's turn is free and nothing else is due for that person. The message is handed over after the
 * commit. Where the answer to the commit was lost, it waits until its claim has run out, and its outcome counts as unknown.
 */
export interface FlowStore {
  /**
   * Settles pages, of several partitions all or none; one that is known already changes nothing. `expand` is pure: it may be
   * asked about those as well.
   */
  settlePages(
    batches: readonly ConsumedBatch<Page>[],
    expand: (page: Page) => ExpandedPage,
    slots: Slots,
  ): Promise<Settlement>;
  /** Settles notices, of shifts or others; one that is known already changes nothing. */
  settleNotices<N extends NoticeCommand | ShiftNotice>(
    batch: ConsumedBatch<N>,
    expand: (notice: N) => ExpandedNotice,
    slots: Slots,
  ): Promise<Settlement>;
}
