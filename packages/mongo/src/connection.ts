import type { ServiceName } from '@tocsin/events';
import { createConnection, mongo, type ClientSession, type Connection } from 'mongoose';

/** A running transaction. Every read and write that belongs to it is given the session. */
export type Session = ClientSession;

/**
 * How states are read: as the transaction of `session` sees them. Without one, as a majority of the replica set has them, so that
 * no service learns of a version that a fail-over takes back: it would skip the next version, which has the same number.
 */
export function readOptions(
  session: Session | undefined,
): { readonly session: Session } | { readonly readConcern: { readonly level: 'majority' } } {
  return session === undefined ? { readConcern: { level: 'majority' } } : { session };
}

/** How long a server may take to answer one command, real time. */
const SOCKET_TIMEOUT_MS = 5_000;

/** The database of the service `name`, such as `tocsin_alert_processor`. */
export function databaseOf(name: ServiceName, prefix: string): string {
  return `${prefix}${name.replaceAll('-', '_')}`;
}

export interface PoolBounds {
  readonly connections: number;
  /** How long a command waits for a connection of the pool, real time. Then it fails; a retry may succeed. */
  readonly waitMs: number;
}

/**
 * Connects to one database. Commands fail within seconds of an outage, and the caller decides what to do; nothing is buffered. No
 * write is acknowledged that a failover could take back. Only {@link migrate} creates indexes and collections.
 *
 * @throws a driver error when no primary is found within 3 s.
 */
export async function connectMongo(options: {
  readonly uri: string;
  readonly database: string;
  /** 50 connections and no limit of the wait by default. */
  readonly pool?: PoolBounds | undefined;
}): Promise<Connection> {
  const { uri, database, pool = { connections: 50, waitMs: 0 } } = options;
  return createConnection(uri, {
    dbName: database,
    serverSelectionTimeoutMS: 3_000,
    // Without it the driver would wait for ever for a frozen server, whose sockets stay open. The driver tries a read twice, so this
    // has to be less than half of what callers wait: the gateway waits for 15 s.
    socketTimeoutMS: SOCKET_TIMEOUT_MS,
    connectTimeoutMS: 5_000,
    maxPoolSize: pool.connections,
    waitQueueTimeoutMS: pool.waitMs,
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    retryWrites: true,
    writeConcern: { w: 'majority' },
    // Also where the address says otherwise: a secondary may not have what was written before, such as a new revision.
    readPreference: 'primary',
  }).asPromise();
}

/** Why the driver can never use an address, in words without its secrets; undefined where it can. Connects to nothing. */
export function mongoUriProblem(uri: string): string | undefined {
  try {
    new mongo.MongoClient(uri);
    return undefined;
  } catch (error) {
    // Errors of another name quote the address, which may have a password in the wrong place. Two classes have this name.
    if (error instanceof Error && error.name === 'MongoParseError') return error.message;
    return 'has a host or an option that the driver does not take';
  }
}

/**
 * @throws Error when the server is a standalone, which has no transactions, or the router of a sharded cluster, whose shards do not
 *   order the rows of the outbox (`outbox.ts`).
 */
export async function requireReplicaSet(connection: Connection): Promise<void> {
  const { setName, msg } = (await connection.db?.command({ hello: 1 })) as {
    readonly setName?: string;
    readonly msg?: string;
  };
  if (msg === 'isdbgrid')
    throw new Error('This MongoDB is a sharded cluster (mongos), which cannot order messages. Use a replica set.');
  if (setName === undefined) throw new Error('This MongoDB is not a replica set, so it has no transactions.');
}

/**
 * The native collection of an open connection, without the casting, buffering and hooks of mongoose.
 *
 * @throws TypeError when the connection was never opened.
 */
export function collectionOf<T extends mongo.Document>(connection: Connection, name: string): mongo.Collection<T> {
  if (connection.db === undefined) throw new TypeError('The connection was never opened.');
  return connection.db.collection<T>(name);
}
