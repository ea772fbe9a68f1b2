import { collectionOf, type Connection, type Session } from '@tocsin/persistence';
import { REMOVED_ALERTS } from './collections.ts';

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

/** Those of `alertIds` that are known to be deleted. */
export async function removedOf(connection: Connection, alertIds: readonly string[]): Promise<ReadonlySet<string>> {
  const found = collectionOf<Removal>(connection, REMOVED_ALERTS).find(
    { _id: { $in: [...new Set(alertIds)] } },
    { projection: { _id: 1 } },
  );
  return new Set(await found.map(({ _id }) => _id).toArray());
}
