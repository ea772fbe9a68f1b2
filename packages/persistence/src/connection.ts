import { createConnection, type ClientSession, type Connection, type mongo } from 'mongoose';

/** A running transaction; every read and write that belongs to it names it. */
export type Session = ClientSession;

/** How long a server may be silent about one command, real time. */
const SILENCE_MS = 5_000;

/** How many commands a connection runs side by side, and how long one more waits for its turn. */
export interface PoolBounds {
  readonly connections: number;
  /** Real time; a command that waits for longer fails, and may succeed later. */
  readonly waitMs: number;
}

/**
 * Connects to one database with the settings under which an outage shows within seconds and nothing is acknowledged that a
 * failover could take back.
 *
 * Commands are never held back while the server is away: they fail, and the caller decides. Indexes and collections are
 * made by {@link migrate} alone.
 *
 * @throws a driver error when no primary is found within 3 s.
 */
export async function connectMongo(options: {
  readonly uri: string;
  readonly database: string;
  /** 50 connections that are waited for as long as it takes, unless given. */
  readonly pool?: PoolBounds | undefined;
}): Promise<Connection> {
  const { uri, database, pool = { connections: 50, waitMs: 0 } } = options;
  return createConnection(uri, {
    dbName: database,
    serverSelectionTimeoutMS: 3_000,
    // A frozen server holds its sockets open for ever; the driver's own default waits as long. A read is tried twice, so that
    // this is to be less than half of what callers wait, the gateway 15 s.
    socketTimeoutMS: SILENCE_MS,
    connectTimeoutMS: 5_000,
    maxPoolSize: pool.connections,
    waitQueueTimeoutMS: pool.waitMs,
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    retryWrites: true,
    writeConcern: { w: 'majority' },
  }).asPromise();
}

/** @throws Error when the server that `connection` leads to is alone: only replica sets and sharded clusters have transactions. */
export async function requireTransactions(connection: Connection): Promise<void> {
  const { setName, msg } = (await connection.db?.command({ hello: 1 })) as {
    readonly setName?: string;
    readonly msg?: string;
  };
  if (setName === undefined && msg !== 'isdbgrid')
    throw new Error('This MongoDB is not a replica set, so it has no transactions.');
}

/**
 * The driver's own collection of a connection that is open: no casting, no buffering, no hooks. For hot paths.
 *
 * @throws TypeError when the connection was never opened.
 */
export function collectionOf<T extends mongo.Document>(connection: Connection, name: string): mongo.Collection<T> {
  if (connection.db === undefined) throw new TypeError('The connection was never opened.');
  return connection.db.collection<T>(name);
}
