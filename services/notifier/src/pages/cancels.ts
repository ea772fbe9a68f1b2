import type { Cancel, Erase, Page, PageMessage } from '@tocsin/events';

/** The messages of one batch, by kind. */
export interface PageMessages {
  readonly pages: readonly Page[];
  readonly cancels: readonly Cancel[];
  readonly erases: readonly Erase[];
}

export function byKind(messages: readonly PageMessage[]): PageMessages {
  return {
    pages: messages.filter((message) => message.kind === 'page'),
    cancels: messages.filter((message) => message.kind === 'cancel'),
    erases: messages.filter((message) => message.kind === 'erase'),
  };
}

type CancellablePage = Pick<Page, 'alertId' | 'alertVersion' | 'cancelOn' | 'userId'>;

/** Why the messages of a page are not sent any more; undefined where no cancel ends them (U5). The first one counts. */
export const reasonToDrop = (page: CancellablePage, cancels: readonly Cancel[]): string | undefined =>
  cancels.find((cancel) => concerns(cancel, page) && (cancel.on === 'close' || page.cancelOn === 'ack'))?.reason;

/** Why the steps of a page are not repeated any more: every cancel ends repetitions. Undefined where none does. */
export const reasonNotToRepeat = (page: CancellablePage, cancels: readonly Cancel[]): string | undefined =>
  cancels.find((cancel) => concerns(cancel, page))?.reason;

/** Whether the stored content of a page is to be removed. */
export const isErased = ({ alertId, userId }: Pick<Page, 'alertId' | 'userId'>, erases: readonly Erase[]): boolean =>
  erases.some((erase) => erase.alertId === alertId && (erase.userId === undefined || erase.userId === userId));

/** Status updates have no `cancelOn`. A page that came after the cancel has its version or a later one. */
const concerns = ({ alertId, alertVersion, userId }: Cancel, page: CancellablePage): boolean =>
  page.cancelOn !== undefined && page.alertId === alertId && page.userId === userId && page.alertVersion < alertVersion;
