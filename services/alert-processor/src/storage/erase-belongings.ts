import { collectionOf, type Connection, type Session } from '@tocsin/persistence';
import { DOOMED, type AttachmentDocument } from './attachment-document.ts';
import { ATTACHMENTS, BELONGINGS } from './collections.ts';

/** Removes what belongs to `alertIds`, with the alerts themselves where `session` is of the transaction that removes them. */
export async function eraseBelongings(
  connection: Connection,
  alertIds: readonly string[],
  session: Session,
): Promise<void> {
  if (alertIds.length === 0) return;
  for (const collection of BELONGINGS)
    await collectionOf<{ alertId: string }>(connection, collection).deleteMany(
      { alertId: { $in: [...alertIds] } },
      { session },
    );
  // The rows of files stay until their bytes are gone, which no transaction could take back: the sweep removes both.
  await collectionOf<AttachmentDocument>(connection, ATTACHMENTS).updateMany(
    { alertId: { $in: [...alertIds] } },
    { $set: DOOMED },
    { session },
  );
}
