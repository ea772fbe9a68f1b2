import { mongo, type Connection } from 'mongoose';

const NAMESPACE_EXISTS = 48;
const INDEX_NOT_FOUND = 27;
/** An index with the same keys exists with other options. */
const INDEX_OPTIONS_CONFLICT = 85;

/** One index, and the query that needs it. */
export interface IndexPlan {
  readonly collection: string;
  readonly keys: Readonly<Record<string, 1 | -1>>;
  readonly options?: mongo.CreateIndexesOptions;
  /** The query or the guarantee that needs this index, in words. */
  readonly serves: string;
}

/**
 * Creates every collection and index of `plans` that does not exist yet. It may run again, and in several processes at once. A
 * plan with the keys `{_id: 1}` creates only the collection. An index that exists with other options is dropped and created
 * again, unless it is unique: running services rely on it.
 *
 * @throws a driver error when a unique index of the same keys exists with other options, or another index of the same name.
 */
export async function migrate(connection: Connection, plans: readonly IndexPlan[]): Promise<void> {
  const byCollection = Map.groupBy(plans, (plan) => plan.collection);
  for (const [collection, plansOfCollection] of byCollection) {
    await createCollection(connection, collection);
    for (const plan of plansOfCollection) {
      if (!isPrimaryKey(plan)) await createIndex(connection, plan);
    }
  }
}

/** Repeats the command where the build of the index outlasts the time-out of the socket: it then waits for the running build. */
async function createIndex(connection: Connection, plan: IndexPlan): Promise<void> {
  for (;;) {
    try {
      await nativeDb(connection).createIndex(plan.collection, { ...plan.keys }, { ...plan.options });
      return;
    } catch (error) {
      const isBuilding = error instanceof mongo.MongoNetworkTimeoutError;
      const hasOtherOptions = error instanceof mongo.MongoServerError && error.code === INDEX_OPTIONS_CONFLICT;
      if (!isBuilding && !(hasOtherOptions && (await dropIndexesOfSameKeys(connection, plan)))) throw error;
    }
  }
}

/** Drops the indexes of the same keys. False where one of them, or the plan, is unique. */
async function dropIndexesOfSameKeys(
  connection: Connection,
  { collection, keys, options }: IndexPlan,
): Promise<boolean> {
  const indexed = nativeDb(connection).collection(collection);
  const pattern = JSON.stringify(keys);
  for (const { name, key, unique = false } of (await indexed.indexes()) as readonly ExistingIndex[]) {
    if (JSON.stringify(key) !== pattern) continue;
    if (unique || options?.unique === true) return false;
    await dropIndex(indexed, name);
  }
  return true;
}

/** Does nothing where the index does not exist any more. */
async function dropIndex(collection: mongo.Collection, name: string): Promise<void> {
  await collection.dropIndex(name).catch((error: unknown) => {
    if (!(error instanceof mongo.MongoServerError) || error.code !== INDEX_NOT_FOUND) throw error;
  });
}

interface ExistingIndex {
  readonly name: string;
  readonly key: Readonly<Record<string, unknown>>;
  readonly unique?: boolean;
  readonly expireAfterSeconds?: number;
}

/** Collections are created beforehand, because a transaction cannot wait for a collection that another one creates. */
async function createCollection(connection: Connection, name: string): Promise<void> {
  try {
    await nativeDb(connection).createCollection(name);
  } catch (error) {
    if (!(error instanceof mongo.MongoServerError) || error.code !== NAMESPACE_EXISTS) throw error;
  }
}

/**
 * The collections and indexes of `plans` that do not exist, or exist with other options, such as `alerts` and `alerts:
 * {"status":1}`. The duration of TTL indexes does not count. Writes nothing.
 */
export async function missingFrom(connection: Connection, plans: readonly IndexPlan[]): Promise<readonly string[]> {
  const byCollection = Map.groupBy(plans, (plan) => plan.collection);
  const existingCollections = new Set(
    (await nativeDb(connection).listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name),
  );
  const missing: string[] = [];
  for (const [collection, plansOfCollection] of byCollection) {
    if (!existingCollections.has(collection)) {
      missing.push(collection);
      continue;
    }
    const existing = (await nativeDb(connection).collection(collection).indexes()) as readonly ExistingIndex[];
    const absent = plansOfCollection.filter(
      (plan) => !isPrimaryKey(plan) && !existing.some((index) => isAsPlanned(index, plan)),
    );
    missing.push(...absent.map(({ keys }) => `${collection}: ${JSON.stringify(keys)}`));
  }
  return missing;
}

/** The values of options that a plan does not have. */
const DEFAULT_OPTIONS = {
  unique: false,
  sparse: false,
  expireAfterSeconds: undefined,
  partialFilterExpression: undefined,
  collation: undefined,
};

/**
 * Compares only planned options and those that would be a guarantee, because MongoDB reports more options than it was given. The
 * duration of a TTL index is left out: it is a setting, and services work with its old and its new value.
 */
function isAsPlanned(index: ExistingIndex, { keys, options = {} }: IndexPlan): boolean {
  const planned = { ...DEFAULT_OPTIONS, ...withoutDuration(options) };
  const actual = { unique: false, sparse: false, ...withoutDuration(index) };
  return JSON.stringify(index.key) === JSON.stringify(keys) && contains(actual, planned);
}

function withoutDuration(index: { readonly expireAfterSeconds?: number | undefined }): object {
  return { ...index, expireAfterSeconds: index.expireAfterSeconds === undefined ? undefined : 'some' };
}

/** Whether `whole` has every value of `part`, at any depth. */
function contains(whole: unknown, part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return whole === part;
  if (typeof whole !== 'object' || whole === null) return false;
  return Object.entries(part).every(([name, value]) =>
    contains((whole as Readonly<Record<string, unknown>>)[name], value),
  );
}

function isPrimaryKey(plan: IndexPlan): boolean {
  return Object.keys(plan.keys).join() === '_id';
}

function nativeDb(connection: Connection): mongo.Db {
  if (connection.db === undefined) throw new TypeError('The connection was never opened.');
  return connection.db;
}
