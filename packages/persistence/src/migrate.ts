import { mongo, type Connection } from 'mongoose';

const NAMESPACE_EXISTS = 48;
const INDEX_NOT_FOUND = 27;
/** An index of the same keys or of the same name is there, with other options. */
const INDEX_CONFLICTS: ReadonlySet<unknown> = new Set([85, 86]);

/** One index, and the query that needs it. */
export interface IndexPlan {
  readonly collection: string;
  readonly keys: Readonly<Record<string, 1 | -1>>;
  readonly options?: mongo.CreateIndexesOptions;
  /** The names of indexes of earlier releases that this one stands in for: each goes once this one is there. */
  readonly replaces?: readonly string[];
  /** The query or the guarantee that this index exists for, in words. */
  readonly serves: string;
}

/**
 * Makes every collection and index of `plans` that does not exist yet; running it again, or at several replicas at once,
 * changes nothing. A plan whose keys are `{_id: 1}` makes the collection alone. An index that an earlier release made
 * otherwise is made anew, unless it is unique: a guarantee is not to be without its guard while services run. Another guard
 * is made under another name and `replaces` the one before.
 *
 * @throws a driver error when a unique index of the same keys or name exists with other options.
 */
export async function migrate(connection: Connection, plans: readonly IndexPlan[]): Promise<void> {
  const byCollection = Map.groupBy(plans, (plan) => plan.collection);
  for (const [collection, own] of byCollection) {
    await createCollection(connection, collection);
    for (const plan of own) {
      if (isPrimaryKey(plan)) continue;
      await createIndex(connection, plan);
      for (const name of plan.replaces ?? []) await dropIndex(nativeDb(connection).collection(collection), name);
    }
  }
}

/** Over many documents it takes longer than a connection stays silent; whoever asks again waits for what is being built. */
async function createIndex(connection: Connection, plan: IndexPlan): Promise<void> {
  for (;;) {
    try {
      await nativeDb(connection).createIndex(plan.collection, { ...plan.keys }, { ...plan.options });
      return;
    } catch (error) {
      const waits = error instanceof mongo.MongoNetworkTimeoutError;
      if (!waits && !(isIndexConflict(error) && (await dropOutdated(connection, plan)))) throw error;
    }
  }
}

function isIndexConflict(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && INDEX_CONFLICTS.has(error.code);
}

/** Whether what stood in the way of `plan` is gone, whoever took it away. */
async function dropOutdated(connection: Connection, { collection, keys, options }: IndexPlan): Promise<boolean> {
  const own = nativeDb(connection).collection(collection);
  const pattern = JSON.stringify(keys);
  const planned = options?.name ?? Object.entries(keys).flat().join('_');
  for (const { name, key, unique = false } of (await own.indexes()) as readonly ExistingIndex[]) {
    if (name !== planned && JSON.stringify(key) !== pattern) continue;
    if (unique || options?.unique === true) return false;
    await dropIndex(own, name);
  }
  return true;
}

/** Whoever took it away before. */
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

/** Transactions may not wait for a collection that another one is making, so all exist beforehand. */
async function createCollection(connection: Connection, name: string): Promise<void> {
  try {
    await nativeDb(connection).createCollection(name);
  } catch (error) {
    if (!(error instanceof mongo.MongoServerError) || error.code !== NAMESPACE_EXISTS) throw error;
  }
}

/**
 * The names of the collections and indexes of `plans` that do not exist, or exist otherwise, such as `alerts` and
 * `alerts: {"status":1}`; none when {@link migrate} would change nothing but take away what is replaced, and for how long
 * something is kept. Nothing is written.
 */
export async function missingFrom(connection: Connection, plans: readonly IndexPlan[]): Promise<readonly string[]> {
  const byCollection = Map.groupBy(plans, (plan) => plan.collection);
  const there = new Set(
    (await nativeDb(connection).listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name),
  );
  const missing: string[] = [];
  for (const [collection, own] of byCollection) {
    if (!there.has(collection)) {
      missing.push(collection);
      continue;
    }
    const existing = (await nativeDb(connection).collection(collection).indexes()) as readonly ExistingIndex[];
    const wanted = own.filter((plan) => !isPrimaryKey(plan) && !existing.some((index) => isAsPlanned(index, plan)));
    missing.push(...wanted.map(({ keys }) => `${collection}: ${JSON.stringify(keys)}`));
  }
  return missing;
}

const UNLESS_PLANNED = {
  unique: false,
  sparse: false,
  expireAfterSeconds: undefined,
  partialFilterExpression: undefined,
  collation: undefined,
};

/**
 * MongoDB tells more of an index than it was asked for: only what is planned is compared, and what would be a guarantee. How
 * long an index keeps what expires is a setting: processes before and after its change, or its taking back, work with either.
 */
function isAsPlanned(index: ExistingIndex, { keys, options = {} }: IndexPlan): boolean {
  const planned = { ...UNLESS_PLANNED, ...withoutDuration(options) };
  const told = { unique: false, sparse: false, ...withoutDuration(index) };
  return JSON.stringify(index.key) === JSON.stringify(keys) && contains(told, planned);
}

function withoutDuration(index: { readonly expireAfterSeconds?: number | undefined }): object {
  return { ...index, expireAfterSeconds: index.expireAfterSeconds === undefined ? undefined : 'some' };
}

/** Whether every value of `part` stands in `whole`, at any depth. */
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
