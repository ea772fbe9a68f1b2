import { collectionOf, type Connection, type Session } from '@tocsin/persistence';
import type { PageDocument } from './delivery-document.ts';
import { DELIVERIES } from './documents.ts';

/**
 * Removes what is kept of the content of alerts, with the rest of the transaction (A6): messages that wait, repetitions, and
 * what became of messages. That a page was seen stays, without content, so that it does nothing when it comes again; a page
 * that comes later loses its content when its turn comes, or its repetition.
 */
export async function eraseAlerts(
  connection: Connection,
  alertIds: readonly string[],
  session: Session,
): Promise<void> {
  if (alertIds.length === 0) return;
  const rows = collectionOf<PageDocument>(connection, DELIVERIES);
  const about = { 'page.alertId': { $in: [...alertIds] } };
  // The first delivery of a page has the id of the page.
  await rows.deleteMany({ ...about, $expr: { $ne: ['$_id', '$page.pageId'] } }, { session });
  const page = { pageId: '$page.pageId', alertId: '$page.alertId', userId: '$page.userId' };
  await rows.updateMany(about, [{ $replaceWith: { _id: '$_id', page, endedAt: '$$NOW' } }], { session });
}
