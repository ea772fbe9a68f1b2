import { setTimeout as pause } from 'node:timers/promises';
import { isUnavailable } from '@tocsin/mongo';
import { mongo } from 'mongoose';
import { TroubleError } from '../trouble.ts';
import { readBackup, type ChangeSet } from './backup-folder.ts';
import { ChangeArchive } from './change-archive.ts';
import { instantOf, isoOf, timestampOf } from './cluster-time.ts';
import { databasesOf, reasonOf, withClient, type MongoPlace } from './databases.ts';

export interface FollowOptions {
  readonly place: MongoPlace;
  readonly folder: string;
  readonly everyMs: number;
  /** Aborted by a stop. */
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

const AGAIN_AFTER_MS = 2_000;
/** A wrong login, and one without rights. */
const REFUSED = [18, 13];

/**
 * Archives changes behind the backup in `folder` until the signal, from the end of its archive on. While MongoDB is unavailable it
 * tries again.
 *
 * @throws TroubleError when there is no whole backup, the archive has a gap, or the oplog no longer has its end.
 */
export async function followChanges(options: FollowOptions): Promise<void> {
  const { folder, say, signal } = options;
  while (!signal.aborted) {
    const { changeSets, manifest, missing } = readBackup(folder);
    const last = changeSets.at(-1);
    if (last === undefined || missing !== undefined)
      throw new TroubleError(`The archive in ${folder} has a gap, so it cannot go on. Take another backup.`);
    try {
      await followFrom(options, manifest.id, last);
    } catch (error) {
      if (!isOutage(error)) throw error;
      say(`MongoDB cannot be read now, and is tried again: ${reasonOf(error)}`);
      await pause(AGAIN_AFTER_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** A damaged folder, a lost history, and a login without rights are none. */
function isOutage(error: unknown): boolean {
  const cause = error instanceof TroubleError ? error.cause : error;
  const isRefused = cause instanceof mongo.MongoServerError && REFUSED.includes(Number(cause.code));
  return isUnavailable(cause) && !isRefused;
}

async function followFrom(
  { everyMs, folder, place, say, signal }: FollowOptions,
  backup: string,
  last: ChangeSet,
): Promise<void> {
  await withClient(place, async (client) => {
    const archive = new ChangeArchive({
      client,
      databases: databasesOf(place),
      folder,
      backup,
      sequence: last.sequence + 1,
      from: timestampOf(last.through),
    });
    const report = ({ content, isExact, through }: ChangeSet): void => {
      const documents = `${String(content.records)} documents`;
      if (isExact) say(`The archive ends at ${isoOf(instantOf(through))} (${documents})`);
      else say(`The archive is behind, at ${isoOf(instantOf(through))} (${documents})`);
    };
    try {
      while (!signal.aborted) {
        const changeSet = await archive.archive(everyMs, () => !signal.aborted);
        if (changeSet !== undefined) report(changeSet);
      }
      report(await archive.cut());
    } finally {
      await archive.close();
    }
  });
}
