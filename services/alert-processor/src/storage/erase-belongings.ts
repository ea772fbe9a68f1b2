import { collectionOf, type Connection, type Session } from '@tocsin/persistence';
import { DOOMED, type AttachmentDocument } from './attachment-document.ts';
import { ATTACHMENTS, BELONGINGS } from './collections.ts';

/** Removes what belongs to `alertIds`, in the transaction of `session`, which removes the alerts, or after they have gone. */
export async function eraseBelongings(
  connection: Connection,
  alertIds: readonly string[],
  session: Session | undefined,
): Promise<void> {
  if (alertIds.length === 0) return;
  const options = session === undefined ? {} : { session };
  for (const collection of BELONGINGS)
    await collectionOf<{ alertId: string }>(connection, collection).deleteMany(
      { alertId: { $in: [...alertIds] } },
      options,
    );
  // The rows of files stay until their bytes are gone, which no transaction could take back: the sweep removes both.
  await collectionOf<AttachmentDocument>(connection, ATTACHMENTS).updateMany(
    { alertId: { $in: [...alertIds] } },
    { $set: DOOMED },
    options,
  );
}
