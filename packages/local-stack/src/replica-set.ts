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

/** @throws Error when nothing answers at `uri` within 5 s, or what answers cannot do transactions. */
export async function requireAnswer(uri: string): Promise<void> {
  const client = new mongo.MongoClient(uri, { serverSelectionTimeoutMS: 5000 });
  try {
    const { setName, msg } = await client.db('admin').command({ hello: 1 });
    if (setName === undefined && msg !== 'isdbgrid')
      throw new Error('it is not a replica set, so it has no transactions');
  } finally {
    await client.close();
  }
}

function unlessInitiated(error: unknown): void {
  if (!(error instanceof mongo.MongoServerError) || error.code !== ALREADY_INITIATED) throw error;
}
