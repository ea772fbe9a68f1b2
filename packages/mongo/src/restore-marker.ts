import type { Connection } from 'mongoose';
import { collectionOf } from './connection.ts';

/** The collection of the marker. It is part of no backup. */
export const RESTORES = 'restores';

/** Is in each database of an installation from before the first write of a restore until after its last one. */
export interface RestoreMarker {
  readonly _id: 'running';
  /** The id of the backup. */
  readonly backup: string;
  readonly startedAt: Date;
  /** The id of the run of the restore. It writes only while the marker has it. */
  readonly run: string;
  /** When the run renewed the marker last, by the clock of the database. */
  readonly aliveAt: Date;
}

/** @throws Error while a restore of this database runs, or was cut off: it has a part of a backup. */
export async function requireNoRestore(connection: Connection): Promise<void> {
  const marker = await collectionOf<RestoreMarker>(connection, RESTORES).findOne({ _id: 'running' });
  if (marker === null) return;
  throw new Error(
    `The restore of backup ${marker.backup} has not ended, so this database is incomplete. Where it was cut off, run npm run restore again.`,
  );
}
