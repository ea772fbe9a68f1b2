import { SERVICES, type ServiceName } from '@tocsin/events';
import { databaseOf, LEASES, mongoUriProblem, RESTORES } from '@tocsin/mongo';
import { mongo } from 'mongoose';
import { TroubleError } from '../trouble.ts';

/** Where the databases of an installation are. */
export interface MongoPlace {
  readonly uri: string;
  readonly databasePrefix: string;
}

/** The name of the database of each service that has one. */
export const databasesOf = ({ databasePrefix }: MongoPlace): ReadonlyMap<string, ServiceName> =>
  new Map(SERVICES.filter((name) => name !== 'gateway').map((name) => [databaseOf(name, databasePrefix), name]));

/** Those of `names` that exist. */
export async function existing(client: mongo.MongoClient, names: Iterable<string>): Promise<readonly string[]> {
  const filter = { name: { $in: [...names] } };
  const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true, filter });
  return databases.map(({ name }) => name);
}

/** The collections that no backup has: the marker of a restore, and the leases of processes, which an old state would show as running. */
export const NOT_BACKED_UP: readonly string[] = [RESTORES, LEASES];

export const isBackedUp = (collection: string): boolean =>
  !NOT_BACKED_UP.includes(collection) && !collection.startsWith('system.');

export interface FoundCollection {
  readonly name: string;
  /** Another one where a collection was dropped and made again, also by a restore. */
  readonly uuid: string;
  readonly options: mongo.Document;
}

/** The collections of a database that belong to a backup. */
export async function collectionsOf(database: mongo.Db): Promise<readonly FoundCollection[]> {
  const found = await database.listCollections({ type: 'collection' }, { nameOnly: false }).toArray();
  return found.flatMap(({ info, name, options = {} }) =>
    info?.uuid !== undefined && isBackedUp(name) ? [{ name, uuid: info.uuid.toUUID().toHexString(), options }] : [],
  );
}

/**
 * Gives `work` a client of the replica set.
 *
 * @throws TroubleError when the address cannot be read, no primary answers within 10 s, or it is no replica set.
 */
export async function withClient<T>({ uri }: MongoPlace, work: (client: mongo.MongoClient) => Promise<T>): Promise<T> {
  // The error of the driver may have the password.
  const problem = mongoUriProblem(uri);
  if (problem !== undefined) throw new TroubleError(`MONGODB_URI: ${problem}`);
  const client = new mongo.MongoClient(uri, {
    appName: 'tocsin-backup',
    serverSelectionTimeoutMS: 10_000,
    writeConcern: { w: 'majority' },
    readPreference: 'primary',
  });
  try {
    await requireReplicaSet(client);
    return await work(client);
  } finally {
    await client.close();
  }
}

async function requireReplicaSet(client: mongo.MongoClient): Promise<void> {
  const hello = await client
    .db('admin')
    .command({ hello: 1 })
    .catch((error: unknown) => {
      // The address may hold a password, so it is not shown.
      throw new TroubleError(`The MongoDB of MONGODB_URI does not answer: ${reasonOf(error)}`, { cause: error });
    });
  const { setName } = hello as { readonly setName?: string };
  if (setName === undefined) throw new TroubleError('This MongoDB is not a replica set, so it has no moments.');
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
