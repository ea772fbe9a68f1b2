import { StampBook } from '@tocsin/messaging';
import { internalClient, type ServiceContext } from '@tocsin/service-kit';
import { reportStamps } from '../application/report-stamps.ts';
import { HttpStampKeeper } from '../clients/http-stamp-keeper.ts';

const REPORT_EVERY_MS = 5_000;

/**
 * Opens the book of what this process owes. It is reported every five seconds, and once more at the stop, when the publisher has
 * ended: so this is called before the publisher is opened.
 */
export function openStamps(context: ServiceContext): StampBook {
  const { lifecycle, logger, tasks } = context;
  const book = new StampBook();
  const keeper = new HttpStampKeeper(internalClient(context, 'alert-processor'));
  lifecycle.add('the last report of stamps', async () => {
    await reportStamps(book, keeper).catch((error: unknown) => {
      logger.warn({ err: error }, 'alert-processor has not stored the last report of stamps');
    });
  });
  tasks.add({ name: 'report-stamps', everyMs: REPORT_EVERY_MS, activate: () => reportStamps(book, keeper) });
  return book;
}
