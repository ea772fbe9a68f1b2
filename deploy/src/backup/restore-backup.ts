import type { ServiceName } from '@tocsin/events';
import { insertNew, LEASES } from '@tocsin/mongo';
import { mongo } from 'mongoose';
import { TroubleError } from '../trouble.ts';
import { chosenMoment, verifyFiles, type Backup, type ChangeSet } from './backup-folder.ts';
import type { ChangeRecord } from './change-archive.ts';
import { instantOf, isoOf } from './cluster-time.ts';
import { databasesOf, existing, isBackedUp, withClient, type MongoPlace } from './databases.ts';
import { HeldMarker, requireCutOff, unendedRestores } from './marker.ts';
import { requireStopped } from './running-services.ts';
import { readRecords } from './records.ts';

export interface RestoreOptions {
  readonly place: MongoPlace;
  readonly backup: Backup;
  /** The last one of the backup by default. */
  readonly at: Date | undefined;
  /** Whether databases that exist are emptied. */
  readonly replaces: boolean;
  readonly startedAt: Date;
  readonly say: (line: string) => void;
}

const { EJSON } = mongo.BSON;
/** A document has 16 MB at most, and usually a few kilobytes. */
const BATCH_SIZE = 200;
const NAMESPACE_EXISTS = 48;

/**
 * Makes the databases as they were at a moment of the backup, and removes those that it does not have. A restore that was cut off is
 * finished by another call; until then no service starts on the databases.
 *
 * @throws TroubleError, with nothing changed, when a file is damaged or missing, `at` is no moment of the backup, a service or another
 * restore runs, or databases exist that are not to be replaced. With the markers left, when a service has started meanwhile, or another
 * restore has taken the databases over.
 */
export async function restoreBackup(options: RestoreOptions): Promise<ChangeSet> {
  const { at, backup, place, say, startedAt } = options;
  const last = chosenMoment(backup, at);
  say(`Checking the files up to ${isoOf(instantOf(last.through))}`);
  await verifyFiles(backup, last);
  return withClient(place, async (client) => {
    const databases = [...databasesOf(place).keys()];
    await requireFree(client, databases, options);
    const marker = await HeldMarker.take(client, databases, { backup: backup.manifest.id, startedAt });
    try {
      await requireStillStopped(client, databases, marker);
      await empty(client, databases, marker);
      await insertCopies(client, options, marker);
      for (const changeSet of backup.changeSets.slice(0, last.sequence))
        await apply(client, options, changeSet, marker);
      say(`Applied ${String(last.sequence)} sets of changes`);
      await createIndexes(client, options, marker);
      // A service that started meanwhile. One that starts later finds the marker or a whole database.
      await requireStopped(client, databases);
      await marker.remove();
      return last;
    } catch (error) {
      await marker.abandon();
      throw error;
    }
  });
}

/** @throws TroubleError when a service has started between the first look and the marker. Then nothing has changed. */
async function requireStillStopped(
  client: mongo.MongoClient,
  databases: readonly string[],
  marker: HeldMarker,
): Promise<void> {
  try {
    await requireStopped(client, databases);
  } catch (error) {
    if (!marker.tookOver) await marker.remove();
    throw error;
  }
}

/** @throws TroubleError when a service or another restore runs, or databases exist that are neither half restored nor to be replaced. */
async function requireFree(
  client: mongo.MongoClient,
  databases: readonly string[],
  { backup, place, replaces, say }: RestoreOptions,
): Promise<void> {
  const present = await existing(client, databases);
  await requireStopped(client, present);
  const unended = await unendedRestores(client, present);
  requireCutOff(unended);
  const marked = unended.map(({ database }) => database);
  const others = present.filter((name) => !marked.includes(name));
  if (others.length > 0 && !replaces)
    throw new TroubleError(
      `These databases exist: ${others.join(', ')}. A restore removes what is in them: give --replace, or another MONGODB_DATABASE_PREFIX.`,
    );
  if (marked.length > 0) say('An earlier restore was cut off. This one begins again');
  const { databasePrefix } = backup.manifest;
  if (databasePrefix !== place.databasePrefix)
    say(`The backup is of databases with the prefix ${databasePrefix}. It is restored to ${place.databasePrefix}`);
}

/** Leaves only the marker, and the leases: they are of processes that run. */
async function empty(client: mongo.MongoClient, databases: readonly string[], marker: HeldMarker): Promise<void> {
  for (const database of databases) {
    const collections = await client.db(database).listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
    for (const { name } of collections)
      if (isBackedUp(name)) await marker.write(() => client.db(database).dropCollection(name));
  }
}

async function insertCopies(
  client: mongo.MongoClient,
  { backup, place, say }: RestoreOptions,
  marker: HeldMarker,
): Promise<void> {
  const names = namesOf(place);
  for (const { collections, service } of backup.manifest.databases) {
    const database = client.db(names(service));
    await marker.write(() => database.createCollection(LEASES).catch(exceptExisting));
    for (const { content, name, options } of collections) {
      const created = EJSON.deserialize(options) as mongo.CreateCollectionOptions;
      const collection = await marker.write(() => database.createCollection(name, created));
      // A document that was deleted and made again while its collection was copied is in the copy twice. A change set has it too.
      for await (const documents of inBatches(readRecords(backup.folder, content)))
        await marker.write(() => insertNew(collection, documents));
      say(`${service}: ${name}, ${String(content.records)} documents`);
    }
  }
}

/** A service makes the collection at its start. */
function exceptExisting(error: unknown): void {
  if (!(error instanceof mongo.MongoServerError) || error.code !== NAMESPACE_EXISTS) throw error;
}

async function apply(
  client: mongo.MongoClient,
  { backup, place }: RestoreOptions,
  { content }: ChangeSet,
  marker: HeldMarker,
): Promise<void> {
  const names = namesOf(place);
  const records = readRecords(backup.folder, content) as AsyncIterable<ChangeRecord>;
  for await (const batch of inBatches(records)) {
    const byCollection = Map.groupBy(batch, ({ collection, service }) => `${service}/${collection}`);
    for (const changes of byCollection.values()) {
      const [first] = changes;
      if (first === undefined) continue;
      if (!isBackedUp(first.collection))
        throw new TroubleError(
          `${content.file} has a change of ${first.collection}, which is no collection of a backup.`,
        );
      const collection = client.db(names(first.service)).collection(first.collection);
      await marker.write(() => collection.bulkWrite(changes.map(writeOf)));
    }
  }
}

function writeOf(change: ChangeRecord): mongo.AnyBulkWriteOperation {
  if ('deleted' in change)
    return { deleteOne: { filter: { _id: { $eq: change.deleted } } as mongo.Filter<mongo.Document> } };
  const { document } = change;
  const filter = { _id: { $eq: document['_id'] as unknown } } as mongo.Filter<mongo.Document>;
  return { replaceOne: { filter, replacement: document, upsert: true } };
}

async function createIndexes(
  client: mongo.MongoClient,
  { backup, place, say }: RestoreOptions,
  marker: HeldMarker,
): Promise<void> {
  const names = namesOf(place);
  for (const { collections, service } of backup.manifest.databases) {
    for (const { indexes, name } of collections) {
      if (indexes.length === 0) continue;
      const created = indexes.map((index) => EJSON.deserialize(index) as unknown as mongo.IndexDescription);
      await marker.write(() => client.db(names(service)).collection(name).createIndexes(created));
    }
    say(`${service}: indexes`);
  }
}

function namesOf(place: MongoPlace): (service: ServiceName) => string {
  const names = new Map([...databasesOf(place)].map(([database, service]) => [service, database]));
  return (service) => {
    const name = names.get(service);
    if (name === undefined) throw new TroubleError(`${service} has no database.`);
    return name;
  };
}

async function* inBatches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
