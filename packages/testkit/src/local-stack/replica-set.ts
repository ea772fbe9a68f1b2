import { setTimeout as pause } from 'node:timers/promises';
import { mongo } from 'mongoose';

const ALREADY_INITIATED = 23;
const PRIMARY_WITHIN_MS = 30_000;

/**
 * Initiates one replica set of the mongods on `ports`, unless it exists. Resolves when one of them is primary.
 *
 * @throws Error when none is within 30 s.
 */
export async function initiateMembers(ports: readonly number[]): Promise<void> {
  const members = ports.map((port, _id) => ({ _id, host: `127.0.0.1:${port}` }));
  const settings = { electionTimeoutMillis: 2_000, heartbeatIntervalMillis: 500 };
  await adminCommand(ports[0] ?? 0, { replSetInitiate: { _id: 'rs0', members, settings } }).catch(unlessInitiated);
  const until = performance.now() + PRIMARY_WITHIN_MS;
  while ((await primaryAmong(ports)) === undefined) {
    if (performance.now() > until) throw new Error('The replica set has no primary.');
    await pause(20);
  }
}

/** The port of the writable primary; undefined where there is none. */
export async function primaryAmong(ports: readonly number[]): Promise<number | undefined> {
  for (const port of ports) {
    const answer = await adminCommand(port, { hello: 1 }).catch(() => undefined);
    if (answer?.['isWritablePrimary'] === true) return port;
  }
  return undefined;
}

/** Runs a command on the `admin` database of the mongod on `port`. @throws what the driver throws. */
export async function adminCommand(port: number, command: mongo.Document): Promise<mongo.Document> {
  const client = new mongo.MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 5_000,
    socketTimeoutMS: 15_000,
  });
  try {
    return await client.db('admin').command(command);
  } finally {
    await client.close();
  }
}

/** @throws Error when no server answers at `uri` within 5 s, or the server has no transactions. */
export async function requireAnswer(uri: string): Promise<void> {
  const client = new mongo.MongoClient(uri, { serverSelectionTimeoutMS: 5000 });
  try {
    const { setName } = await client.db('admin').command({ hello: 1 });
    if (setName === undefined) throw new Error('it is not a member of a replica set');
  } finally {
    await client.close();
  }
}

function unlessInitiated(error: unknown): void {
  if (!(error instanceof mongo.MongoServerError) || error.code !== ALREADY_INITIATED) throw error;
}
