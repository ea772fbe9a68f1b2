import { setTimeout as pause } from 'node:timers/promises';
import { mongo } from 'mongoose';

const ALREADY_INITIATED = 23;
const PRIMARY_WITHIN_MS = 30_000;

/** A mongod: its port of 127.0.0.1, or its `host:port`. */
export type Member = number | string;

const addressOf = (member: Member): string => (typeof member === 'number' ? `127.0.0.1:${member}` : member);

/**
 * Initiates one replica set of `members`, unless it exists. Resolves when one of them is primary.
 *
 * @throws Error when none is within 30 s.
 */
export async function initiateMembers(members: readonly Member[]): Promise<void> {
  const [first] = members;
  if (first === undefined) throw new Error('A replica set needs a member.');
  const settings = { electionTimeoutMillis: 2_000, heartbeatIntervalMillis: 500 };
  const config = { _id: 'rs0', members: members.map((member, _id) => ({ _id, host: addressOf(member) })), settings };
  await adminCommand(first, { replSetInitiate: config }).catch(unlessInitiated);
  const until = performance.now() + PRIMARY_WITHIN_MS;
  while ((await primaryAmong(members)) === undefined) {
    if (performance.now() > until) throw new Error('The replica set has no primary.');
    await pause(20);
  }
}

/** The writable primary; undefined where there is none. */
export async function primaryAmong<M extends Member>(members: readonly M[]): Promise<M | undefined> {
  for (const member of members) {
    const answer = await adminCommand(member, { hello: 1 }).catch(() => undefined);
    if (answer?.['isWritablePrimary'] === true) return member;
  }
  return undefined;
}

/** Runs a command on the `admin` database of one mongod. @throws what the driver throws. */
export async function adminCommand(member: Member, command: mongo.Document): Promise<mongo.Document> {
  const client = new mongo.MongoClient(`mongodb://${addressOf(member)}/?directConnection=true`, {
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
