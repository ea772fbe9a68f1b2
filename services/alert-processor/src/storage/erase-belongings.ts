import { collectionOf, type Connection, type Session } from '@tocsin/persistence';
import { DOOMED, type AttachmentDocument } from './attachment-document.ts';
import { ATTACHMENTS, BELONGINGS } from './collections.ts';

/** Deleting more rows may take longer than a transaction may last. */
const MOST_IN_TRANSACTION = 10_000;
const ROWS_AT_ONCE = 1_000;

/** Whether `alertIds` have more logs and notes than the transaction `session` should delete. */
export async function haveLongHistory(
  connection: Connection,
  alertIds: readonly string[],
  session: Session,
): Promise<boolean> {
  if (alertIds.length === 0) return false;
  let rows = 0;
  for (const collection of BELONGINGS)
    rows += await belongings(connection, collection).countDocuments(
      { alertId: { $in: [...alertIds] } },
      { session, limit: MOST_IN_TRANSACTION + 1 },
    );
  return rows > MOST_IN_TRANSACTION;
}

/** Deletes the logs and notes of `alertIds` in lots, without a transaction, because there may be too many for one. */
export async function eraseHistory(connection: Connection, alertIds: readonly string[]): Promise<void> {
  for (const collection of BELONGINGS) {
    const rows = belongings(connection, collection);
    for (let found = ROWS_AT_ONCE; found === ROWS_AT_ONCE;) {
      const lot = await rows
        .find({ alertId: { $in: [...alertIds] } }, { projection: { _id: 1 }, limit: ROWS_AT_ONCE })
        .toArray();
      await rows.deleteMany({ _id: { $in: lot.map(({ _id }) => _id) } });
      found = lot.length;
    }
  }
}

/** Deletes what belongs to `alertIds`, in the transaction `session` that deletes the alerts. */
export async function eraseBelongings(
  connection: Connection,
  alertIds: readonly string[],
  session: Session,
): Promise<void> {
  if (alertIds.length === 0) return;
  for (const collection of BELONGINGS)
    await belongings(connection, collection).deleteMany({ alertId: { $in: [...alertIds] } }, { session });
  await doomFiles(connection, alertIds, session);
}

/** Marks the files of `alertIds`. Their rows stay until their bytes are deleted, which no transaction can roll back: the sweep deletes both. */
export async function doomFiles(connection: Connection, alertIds: readonly string[], session?: Session): Promise<void> {
  if (alertIds.length === 0) return;
  await collectionOf<AttachmentDocument>(connection, ATTACHMENTS).updateMany(
    { alertId: { $in: [...alertIds] } },
    { $set: DOOMED },
    session === undefined ? {} : { session },
  );
}

const belongings = (connection: Connection, collection: string) =>
  collectionOf<{ readonly _id: string; readonly alertId: string }>(connection, collection);
