import { collectionOf, type Connection, type Session } from '@tocsin/persistence';
import { BELONGINGS } from './collections.ts';

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
}
