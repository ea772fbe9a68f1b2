import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import type { ServiceName } from '@tocsin/events';
import type { mongo } from 'mongoose';
import { TroubleError } from '../trouble.ts';
import {
  beginBackup,
  chosenMoment,
  endBackup,
  FORMAT,
  readBackup,
  verifyFiles,
  type DatabaseFiles,
  type Manifest,
} from './backup-folder.ts';
import { ChangeArchive } from './change-archive.ts';
import { instantOf, isoOf, latestMoment } from './cluster-time.ts';
import { copyDatabases } from './copy-databases.ts';
import { databasesOf, existing, withClient, type MongoPlace } from './databases.ts';
import { unendedRestores } from './marker.ts';

export interface BackupOptions {
  readonly place: MongoPlace;
  readonly folder: string;
  readonly startedAt: Date;
  readonly say: (line: string) => void;
}

/** How much changes before it is archived, while collections are copied. */
const SET_EVERY_MS = 5_000;

/**
 * Writes a backup of one moment, that of its end, into `folder`. Services may run. It takes as long as it takes: what changes meanwhile is
 * archived, and no moment of the past is read.
 *
 * @throws TroubleError when the folder is not empty, another backup is written into it, there is no database, one of them is half restored,
 * or what was written cannot be read.
 */
export async function takeBackup(options: BackupOptions): Promise<Manifest> {
  const { folder, place, say, startedAt } = options;
  return withClient(place, async (client) => {
    const databases = databasesOf(place);
    await requireWhole(client, databases, place);
    const id = randomUUID();
    beginBackup(folder, id);
    const from = await latestMoment(client);
    const archive = new ChangeArchive({ client, databases, folder, backup: id, sequence: 1, from });
    try {
      const copied = await copyWhileArchiving(
        archive,
        copyDatabases({ client, databases, folder, backup: id, from, say }),
      );
      const { sequence, through } = await archive.cut();
      const manifest: Manifest = {
        format: FORMAT,
        id,
        tocsin: releaseOf(),
        databasePrefix: place.databasePrefix,
        startedAt: startedAt.toISOString(),
        moment: through,
        instant: isoOf(instantOf(through)),
        databases: [...copied],
        changeSets: sequence,
        kafka: await kafkaPositions(client, databases),
      };
      endBackup(folder, manifest);
      say('Checking the files');
      const written = readBackup(folder);
      await verifyFiles(written, chosenMoment(written, undefined));
      return manifest;
    } finally {
      await archive.close();
    }
  });
}

async function requireWhole(
  client: mongo.MongoClient,
  databases: ReadonlyMap<string, ServiceName>,
  { databasePrefix }: MongoPlace,
): Promise<void> {
  if ((await existing(client, databases.keys())).length === 0)
    throw new TroubleError(
      `There is no database with the prefix ${databasePrefix}. Are MONGODB_URI and MONGODB_DATABASE_PREFIX right?`,
    );
  if ((await unendedRestores(client, databases.keys())).length > 0)
    throw new TroubleError(
      'A restore has not ended, so the databases are incomplete. Run npm run restore again first.',
    );
}

/** Archives changes until the copy has ended. */
async function copyWhileArchiving(
  archive: ChangeArchive,
  copying: Promise<readonly DatabaseFiles[]>,
): Promise<readonly DatabaseFiles[]> {
  const copied = new AbortController();
  const ended = copying.finally(() => {
    copied.abort();
  });
  ended.catch(() => undefined);
  while (!copied.signal.aborted) await archive.archive(SET_EVERY_MS, () => !copied.signal.aborted);
  return ended;
}

/** The Kafka clusters and topics of the positions of all consumers. */
async function kafkaPositions(
  client: mongo.MongoClient,
  databases: ReadonlyMap<string, ServiceName>,
): Promise<Manifest['kafka']> {
  const clusterIds = new Set<string>();
  const topics = new Set<string>();
  for (const database of databases.keys()) {
    const positions = client.db(database).collection<{ _id: string; clusterId: string }>('checkpoints');
    for await (const { _id, clusterId } of positions.find({}, { projection: { clusterId: 1 } })) {
      clusterIds.add(clusterId);
      topics.add(_id.slice(0, _id.lastIndexOf('/')));
    }
  }
  return { clusterIds: [...clusterIds].sort(), topics: [...topics].sort() };
}

/** The version of this source, and its commit where it is a clone. */
function releaseOf(): Manifest['tocsin'] {
  const manifest = fs.readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(manifest) as { readonly version: string };
  try {
    const output = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return { version, commit: output.trim() };
  } catch {
    return { version };
  }
}
