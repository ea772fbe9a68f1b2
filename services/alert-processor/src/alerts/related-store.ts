import { collectionOf, type Connection, type Session } from '@tocsin/mongo';
import { TO_DELETE, type AttachmentDocument } from '../attachments/attachment.ts';
import { ATTACHMENTS, RELATED, REMOVED_ALERTS } from '../database.ts';

/** Deleting more rows may take longer than a transaction may last. */
const MAX_IN_TRANSACTION = 10_000;
const ROWS_AT_ONCE = 1_000;

/** Whether `alertIds` have more logs and notes than the transaction `session` should delete. */
export async function haveLongHistory(
  connection: Connection,
  alertIds: readonly string[],
  session: Session,
): Promise<boolean> {
  if (alertIds.length === 0) return false;
  let rows = 0;
  for (const collection of RELATED)
    rows += await relatedRows(connection, collection).countDocuments(
      { alertId: { $in: [...alertIds] } },
      { session, limit: MAX_IN_TRANSACTION + 1 },
    );
  return rows > MAX_IN_TRANSACTION;
}

/** Deletes the logs and notes of `alertIds` in batches, without a transaction, because there may be too many for one. */
export async function eraseHistory(connection: Connection, alertIds: readonly string[]): Promise<void> {
  for (const collection of RELATED) {
    const rows = relatedRows(connection, collection);
    for (let found = ROWS_AT_ONCE; found === ROWS_AT_ONCE;) {
      const batch = await rows
        .find({ alertId: { $in: [...alertIds] } }, { projection: { _id: 1 }, limit: ROWS_AT_ONCE })
        .toArray();
      await rows.deleteMany({ _id: { $in: batch.map(({ _id }) => _id) } });
      found = batch.length;
    }
  }
}

/** Deletes what belongs to `alertIds`, in the transaction `session` that deletes the alerts. */
export async function deleteRelated(
  connection: Connection,
  alertIds: readonly string[],
  session: Session,
): Promise<void> {
  if (alertIds.length === 0) return;
  for (const collection of RELATED)
    await relatedRows(connection, collection).deleteMany({ alertId: { $in: [...alertIds] } }, { session });
  await markFilesForDeletion(connection, alertIds, session);
}

/** Marks the files of `alertIds`. Their rows stay until their bytes are deleted, which no transaction can roll back: the sweep deletes both. */
export async function markFilesForDeletion(
  connection: Connection,
  alertIds: readonly string[],
  session?: Session,
): Promise<void> {
  if (alertIds.length === 0) return;
  await collectionOf<AttachmentDocument>(connection, ATTACHMENTS).updateMany(
    { alertId: { $in: [...alertIds] } },
    { $set: TO_DELETE },
    session === undefined ? {} : { session },
  );
}

/** The id of a deleted alert, kept so that late decisions about it are not stored. */
interface Removal {
  readonly _id: string;
  readonly removedAt: Date;
}

/** Records that `alertIds` were deleted at `removedAt`, in the transaction that deletes them. */
export async function markRemoved(
  connection: Connection,
  alertIds: readonly string[],
  { removedAt, session }: { readonly removedAt: Date; readonly session: Session },
): Promise<void> {
  if (alertIds.length === 0) return;
  const marks = alertIds.map((_id) => ({
    updateOne: { filter: { _id }, update: { $setOnInsert: { removedAt } }, upsert: true },
  }));
  await collectionOf<Removal>(connection, REMOVED_ALERTS).bulkWrite(marks, { session });
}

const relatedRows = (connection: Connection, collection: string) =>
  collectionOf<{ readonly _id: string; readonly alertId: string }>(connection, collection);
