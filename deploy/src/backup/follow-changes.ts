import { setTimeout as pause } from 'node:timers/promises';
import { isUnavailable } from '@tocsin/mongo';
import { mongo } from 'mongoose';
import { TroubleError } from '../trouble.ts';
import { readBackup, type ChangeSet, type Manifest } from './backup-folder.ts';
import { ChangeArchive } from './change-archive.ts';
import { instantOf, isoOf, timestampOf } from './cluster-time.ts';
import { collectionsOf, databasesOf, reasonOf, withClient, type MongoPlace } from './databases.ts';
import { unendedRestores } from './marker.ts';

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
 * Archives changes after the backup in `folder` until the signal, from the end of its archive on. While MongoDB is unavailable it
 * tries again.
 *
 * @throws TroubleError when there is no whole backup, the archive has a gap, the oplog no longer has its end, the databases are not those of
 * the backup, or a restore of them has begun.
 */
export async function followChanges(options: FollowOptions): Promise<void> {
  const { folder, say, signal } = options;
  while (!signal.aborted) {
    const { changeSets, manifest, missing } = readBackup(folder);
    const last = changeSets.at(-1);
    if (last === undefined || missing !== undefined)
      throw new TroubleError(`The archive in ${folder} has a gap, so it cannot go on. Take another backup.`);
    try {
      await followFrom(options, manifest, last);
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
  manifest: Manifest,
  last: ChangeSet,
): Promise<void> {
  await withClient(place, async (client) => {
    await requireSameDatabases(client, place, manifest);
    const archive = new ChangeArchive({
      client,
      databases: databasesOf(place),
      folder,
      backup: manifest.id,
      sequence: last.sequence + 1,
      from: timestampOf(last.through),
    });
    const report = ({ content, isExact, through }: ChangeSet): void => {
      const documents = `${String(content.records)} documents`;
      if (isExact) say(`The archive ends at ${isoOf(instantOf(through))} (${documents})`);
      else say(`The archive is late. It has come to ${isoOf(instantOf(through))} (${documents})`);
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

/**
 * MongoDB also lets a change stream begin before the first operation of its oplog, in a new replica set, whose changes belong to no earlier
 * state.
 */
async function requireSameDatabases(client: mongo.MongoClient, place: MongoPlace, manifest: Manifest): Promise<void> {
  const again = 'Take another backup, in a new folder.';
  if (manifest.databasePrefix !== place.databasePrefix)
    throw new TroubleError(
      `The backup is of databases with the prefix ${manifest.databasePrefix}, and MONGODB_DATABASE_PREFIX is ${place.databasePrefix}. ${again}`,
    );
  const databases = databasesOf(place);
  if ((await unendedRestores(client, databases.keys())).length > 0)
    throw new TroubleError(
      `A restore of these databases has not ended, so no changes are archived. After its end: ${again}`,
    );
  for (const [database, service] of databases) {
    const uuids = new Map((await collectionsOf(client.db(database))).map(({ name, uuid }) => [name, uuid]));
    const collections = manifest.databases.find((each) => each.service === service)?.collections ?? [];
    const other = collections.find(({ name, uuid }) => uuids.get(name) !== uuid);
    if (other !== undefined)
      throw new TroubleError(
        `${database}.${other.name} ${uuids.has(other.name) ? 'is not the collection of the backup: it was made again, as a restore does' : 'is missing'}. ${again}`,
      );
  }
}
