import { mongo, type Connection } from 'mongoose';

const NAMESPACE_EXISTS = 48;

/** One index, and the query that needs it. */
export interface IndexPlan {
  readonly collection: string;
  readonly keys: Readonly<Record<string, 1 | -1>>;
  readonly options?: mongo.CreateIndexesOptions;
  /** The query or the guarantee that this index exists for, in words. */
  readonly serves: string;
}

/**
 * Makes every collection and index of `plans` that does not exist yet; running it again, or at several replicas at once,
 * changes nothing. A plan whose keys are `{_id: 1}` makes the collection alone.
 *
 * @throws a driver error when an index of the same keys or name exists with other options.
 */
export async function migrate(connection: Connection, plans: readonly IndexPlan[]): Promise<void> {
  const byCollection = Map.groupBy(plans, (plan) => plan.collection);
  for (const [collection, own] of byCollection) {
    await createCollection(connection, collection);
    for (const plan of own) {
      if (!isPrimaryKey(plan))
        await nativeDb(connection).createIndex(collection, { ...plan.keys }, { ...plan.options });
    }
  }
}

/** Transactions may not wait for a collection that another one is making, so all exist beforehand. */
async function createCollection(connection: Connection, name: string): Promise<void> {
  try {
    await nativeDb(connection).createCollection(name);
  } catch (error) {
    if (!(error instanceof mongo.MongoServerError) || error.code !== NAMESPACE_EXISTS) throw error;
  }
}

function isPrimaryKey(plan: IndexPlan): boolean {
  return Object.keys(plan.keys).join() === '_id';
}

function nativeDb(connection: Connection): mongo.Db {
  if (connection.db === undefined) throw new TypeError('The connection was never opened.');
  return connection.db;
}
