import { setTimeout as pause } from 'node:timers/promises';
import { mongo } from 'mongoose';

const ALREADY_INITIATED = 23;
const PRIMARY_WITHIN_MS = 30_000;

/** Resolves when the mongod on `port` is primary. @throws Error when it is not within 30 s. */
export async function initiate(port: number): Promise<void> {
  const client = new mongo.MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`);
  try {
    const admin = client.db('admin');
    const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
    await admin.command({ replSetInitiate: { _id: 'rs0', members } }).catch(unlessInitiated);
    const until = performance.now() + PRIMARY_WITHIN_MS;
    while ((await admin.command({ hello: 1 }))['isWritablePrimary'] !== true) {
      if (performance.now() > until) throw new Error('mongod has not become primary');
      await pause(20);
    }
  } finally {
    await client.close();
  }
}

/** Makes one replica set of `ports`. Resolves when one of them is primary. @throws Error when none is within 30 s. */
export async function initiateAll(ports: readonly number[]): Promise<void> {
  const members = ports.map((port, _id) => ({ _id, host: `127.0.0.1:${port}` }));
  const settings = { electionTimeoutMillis: 2_000, heartbeatIntervalMillis: 500 };
  await runOn(ports[0] ?? 0, { replSetInitiate: { _id: 'rs0', members, settings } });
  const until = performance.now() + PRIMARY_WITHIN_MS;
  while ((await primaryOf(ports)) === undefined) {
    if (performance.now() > until) throw new Error('The replica set has no primary.');
    await pause(50);
  }
}

/** The port of the writable primary; undefined where there is none. */
export async function primaryOf(ports: readonly number[]): Promise<number | undefined> {
  for (const port of ports) {
    const answer = await runOn(port, { hello: 1 }).catch(() => undefined);
    if (answer?.['isWritablePrimary'] === true) return port;
  }
  return undefined;
}

/** Runs a command on the `admin` database of the mongod on `port`. @throws what the driver throws. */
export async function runOn(port: number, command: mongo.Document): Promise<mongo.Document> {
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

/** @throws Error when nothing answers at `uri` within 5 s, or what answers cannot do transactions. */
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
