import { collectionOf, type Connection, type Session } from '@tocsin/persistence';
import type { DeliveryDocument } from './delivery-document.ts';
import { DELIVERIES, FLOWS, type FlowDocument } from './documents.ts';

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
  const of = { $in: [...alertIds] };
  await collectionOf<DeliveryDocument>(connection, DELIVERIES).deleteMany({ 'page.alertId': of }, { session });
  await collectionOf<FlowDocument>(connection, FLOWS).updateMany(
    { alertId: of },
    { $set: { next: null } },
    { session },
  );
}
