import type { ServiceName } from '@tocsin/events';
import { mongo } from 'mongoose';
import { copyFile, type DatabaseFiles } from './backup-folder.ts';
import { collectionsOf, existing } from './databases.ts';
import { KEEP_TYPES, writeRecords } from './records.ts';

const { EJSON } = mongo.BSON;

export interface CopyOptions {
  readonly client: mongo.MongoClient;
  readonly databases: ReadonlyMap<string, ServiceName>;
  readonly folder: string;
  /** The id of the backup. */
  readonly backup: string;
  /** The copy has everything that was acknowledged before this moment. */
  readonly from: mongo.Timestamp;
  readonly say: (line: string) => void;
}

/**
 * Copies all collections, one after the other. What is written meanwhile may be in the copies or not: the change sets from `from` on
 * have it. A collection that is made meanwhile gets its indexes when its service starts.
 */
export async function copyDatabases(options: CopyOptions): Promise<readonly DatabaseFiles[]> {
  const { client, databases, from } = options;
  // Majority reads may be older than `from`, but not in a session that knows of it.
  const session = client.startSession({ causalConsistency: true });
  session.advanceOperationTime(from);
  try {
    const copied: DatabaseFiles[] = [];
    for (const database of await existing(client, databases.keys())) {
      const service = databases.get(database);
      if (service === undefined) continue;
      copied.push({ service, collections: await copyCollections(options, { database, service, session }) });
    }
    return copied;
  } finally {
    await session.endSession();
  }
}

interface CopiedDatabase {
  readonly database: string;
  readonly service: ServiceName;
  readonly session: mongo.ClientSession;
}

async function copyCollections(
  { backup, client, folder, say }: CopyOptions,
  { database, service, session }: CopiedDatabase,
): Promise<DatabaseFiles['collections']> {
  const source = client.db(database);
  const collections: DatabaseFiles['collections'] = [];
  for (const { name, options, uuid } of await collectionsOf(source)) {
    const documents = source
      .collection(name)
      .find({}, { ...KEEP_TYPES, session, readConcern: { level: 'majority' }, batchSize: 1_000 });
    const content = await writeRecords(folder, copyFile(backup, service, name), documents);
    const indexes = await indexesOf(source.collection(name));
    collections.push({ name, uuid, options: EJSON.serialize(options), indexes, content });
    say(`${service}: ${name}, ${String(content.records)} documents`);
  }
  return collections;
}

type Indexes = DatabaseFiles['collections'][number]['indexes'];

async function indexesOf(collection: mongo.Collection): Promise<Indexes> {
  const indexes = (await collection.indexes()) as readonly (mongo.IndexDescriptionInfo & { name: string })[];
  return indexes
    .filter(({ name }) => name !== '_id_')
    .map(({ v, ...index }) => EJSON.serialize(index) as Indexes[number]);
}
