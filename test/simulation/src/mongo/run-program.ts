import { mongo, type Connection } from 'mongoose';
import { CLIENTS, type Operation, OTHERS, ROWS, type Step, THINGS } from './programs.ts';
import type { Document } from './values.ts';

/** The unique and partial indexes of the programs, of the kinds that the services have. */
export async function prepare(connection: Connection): Promise<void> {
  const { db } = connection;
  if (db === undefined) throw new TypeError('The connection was never opened.');
  for (const name of [THINGS, OTHERS, ROWS]) await db.createCollection(name);
  await db.createIndex(
    THINGS,
    { alias: 1 },
    { unique: true, partialFilterExpression: { status: 'open', alias: { $exists: true } } },
  );
  await db.createIndex(THINGS, { name: 1 }, { unique: true });
  await db.createIndex(THINGS, { at: 1 }, { partialFilterExpression: { at: { $exists: true } } });
}

/** Removes what the last program left. */
export async function clear(connection: Connection): Promise<void> {
  for (const name of [THINGS, OTHERS, ROWS]) await connection.db?.collection(name).deleteMany({});
}

/** Everything that is stored, in the order of the ids. */
export async function contents(connection: Connection): Promise<unknown> {
  const all: unknown[] = [];
  for (const name of [THINGS, OTHERS, ROWS]) {
    const documents = await connection.db?.collection(name).find({}).toArray();
    all.push(byId(documents ?? []));
  }
  return normalized(all);
}

/** The result of a step: a value, or the parts of an error that callers depend on. Dates of now, ids and times of the server are left out. */
export type StepResult = unknown;

/** One of the two databases that a program runs on. */
export class ProgramClients {
  readonly #connection: Connection;
  readonly #sessions: (mongo.ClientSession | undefined)[] = Array.from({ length: CLIENTS }, () => undefined);

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  isInTransaction(client: number): boolean {
    return this.#sessions[client] !== undefined;
  }

  /** Does one step. Never rejects. */
  async run(step: Step): Promise<StepResult> {
    try {
      return normalized(await this.#run(step));
    } catch (error) {
      return errorResult(error);
    }
  }

  async end(): Promise<void> {
    for (const session of this.#sessions) await session?.endSession();
  }

  async #run(step: Step): Promise<unknown> {
    const session = this.#sessions[step.client];
    if (step.action === 'operation') {
      if (step.client === 0) return this.#operate(step.operation);
      return this.#operate(step.operation, session ?? (await this.#begin(step.client)));
    }
    if (session === undefined) return undefined;
    this.#sessions[step.client] = undefined;
    try {
      if (step.action === 'commit') await session.commitTransaction();
      else await session.abortTransaction();
      return step.action;
    } finally {
      await session.endSession();
    }
  }

  async #begin(client: number): Promise<mongo.ClientSession> {
    const session = await this.#connection.startSession();
    session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: new mongo.WriteConcern('majority') });
    this.#sessions[client] = session;
    return session;
  }

  async #operate({ args, collection, method, options }: Operation, session?: mongo.ClientSession): Promise<unknown> {
    const { readConcern, ...others } = { ...options };
    const target = this.#connection.db?.collection(collection) as unknown as Record<
      string,
      (...parts: unknown[]) => unknown
    >;
    const given = {
      ...others,
      ...(session === undefined ? readConcern !== undefined && { readConcern } : { session }),
    };
    // The driver writes ids into the documents that it is given.
    const result = target[method]?.(...structuredCloneOf(args), given);
    if (method === 'bulkWrite') return counts((await result) as mongo.BulkWriteResult);
    if (method !== 'find' && method !== 'aggregate') return result;
    const found = await (result as mongo.FindCursor<Document>).toArray();
    return method === 'find' && others['sort'] === undefined ? byId(found) : found;
  }
}

/** Keeps the types of the driver, which `structuredClone` does not. */
function structuredCloneOf(args: readonly unknown[]): unknown[] {
  const clone = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(clone);
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, clone(inside)]));
  };
  return args.map(clone);
}

const byId = (documents: readonly Document[]): readonly Document[] =>
  documents.toSorted((one, other) => (String(one['_id']) < String(other['_id']) ? -1 : 1));

const DAY_MS = 86_400_000;

/** Without what two servers cannot have in common: their clock, and the ids that they make. */
function normalized(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Date) return Math.abs(value.getTime() - Date.now()) < DAY_MS ? 'now' : value;
  if (value instanceof mongo.ObjectId) return 'id';
  if (value instanceof mongo.Timestamp) return 'time';
  if (Array.isArray(value)) return value.map(normalized);
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, normalized(inside)]));
}

function counts(result: mongo.BulkWriteResult): Document {
  const { deletedCount, insertedCount, matchedCount, modifiedCount, upsertedCount, upsertedIds } = result;
  return {
    deletedCount,
    insertedCount,
    matchedCount,
    modifiedCount,
    upsertedCount,
    upsertedIds: normalized(upsertedIds),
  };
}

function errorResult(error: unknown): unknown {
  if (!(error instanceof mongo.MongoError)) throw error;
  const result = {
    name: error.name,
    code: error.code,
    labels: error.errorLabels.toSorted(),
    index: indexIn(error.message),
  };
  if (!(error instanceof mongo.MongoBulkWriteError)) return result;
  const writeErrors = [error.writeErrors]
    .flat()
    .map(({ code, errmsg, index }) => ({ code, index, key: indexIn(errmsg ?? '') }));
  return { ...result, writeErrors, counts: counts(error.result) };
}

/** The index that refused a duplicate key. */
const indexIn = (message: string): string | undefined => /E11000 .* index: (\S+) /.exec(message)?.[1];
