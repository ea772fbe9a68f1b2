import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { downloads, processEnvironment, testDataFolder } from '@tocsin/testkit';
import { mongo } from 'mongoose';
import { DataFolder } from './data-folder.ts';
import { runMongo, type Engine } from './engines.ts';
import { memberUriOf } from './mongo-users.ts';
import { RunRecord } from './run-record.ts';

const BOOTSTRAP = fileURLToPath(new URL('../bootstrap.mjs', import.meta.url));
const DATABASE = 'tocsin_directory';
const reports = { say: ignore, started: ignore };

let root: string;
let running: DataFolder;
let engine: Engine;
let member: string;
const { HOME } = process.env;

beforeAll(async () => {
  root = await testDataFolder('tocsin-backup-of-folder-');
  running = new DataFolder(path.join(root, 'running'), downloads());
  running.open();
  const { mongoKey: key } = running.secrets(undefined);
  engine = await runMongo(running, reports, { key, databasePrefix: 'tocsin_' });
  member = memberUriOf(engine.address, key);
  await within(member, async (client) => {
    await client.db(DATABASE).collection('users').insertOne({ name: 'ada' });
    const roles = ['readAnyDatabase', 'readWriteAnyDatabase'];
    for (const role of roles) await client.db('admin').command({ createUser: role, pwd: 'secret', roles: [role] });
  });
});

afterAll(async () => {
  await engine.stop();
  fs.rmSync(root, { recursive: true });
});

async function within<T>(uri: string, work: (client: mongo.MongoClient) => Promise<T>): Promise<T> {
  const client = new mongo.MongoClient(uri);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** `npm run <command> -- …` */
async function run(command: 'backup' | 'restore', environment: Readonly<Record<string, string>>, ...args: string[]) {
  const script = fileURLToPath(new URL(`${command}.ts`, import.meta.url));
  const child = spawn(process.execPath, [BOOTSTRAP, script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: processEnvironment({ HOME, TOCSIN_DOWNLOADS: downloads(), INIT_CWD: root, ...environment }),
  });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { said, complained, code: await exit };
}

const uriOf = (role: string): string => `${engine.address.replace('://', `://${role}:secret@`)}&authSource=admin`;

describe('a backup of the Tocsin that npm start runs', () => {
  it('is taken while it runs, and restored once it is stopped, also into another data folder', async () => {
    const place = { TOCSIN_DATA: running.path };
    const stopped = await run('backup', place, 'monday');
    expect(stopped).toMatchObject({
      code: 1,
      complained: expect.stringContaining('No Tocsin with a MongoDB of its own'),
    });

    const record = new RunRecord(running.runRecord);
    record.claim({ name: 'supervisor', pid: process.pid, mark: '' });
    record.noteMongo(engine.address);
    expect(await run('backup', place, 'monday')).toMatchObject({ code: 0, complained: '' });
    const refused = await run('restore', place, 'monday');
    expect(refused).toMatchObject({ code: 1, complained: expect.stringContaining('Tocsin already runs on') });

    const other = new DataFolder(path.join(root, 'other'), downloads());
    const restored = await run('restore', { TOCSIN_DATA: other.path }, 'monday');
    expect(restored).toMatchObject({ code: 0, complained: '' });
    const { mongoKey: key } = other.secrets(undefined);
    const started = await runMongo(other, reports, { key, databasePrefix: 'tocsin_' });
    const users = await within(memberUriOf(started.address, key), (client) =>
      client
        .db(DATABASE)
        .collection('users')
        .find({}, { projection: { _id: 0 } })
        .toArray(),
    );
    await started.stop();
    expect(users).toEqual([{ name: 'ada' }]);
  });

  it('needs the roles that the help names, and no others', async () => {
    expect(await run('backup', { MONGODB_URI: uriOf('readAnyDatabase') }, 'tuesday')).toMatchObject({ code: 0 });
    const target = { MONGODB_DATABASE_PREFIX: 'other_' };
    const refused = await run('restore', { MONGODB_URI: uriOf('readAnyDatabase'), ...target }, 'tuesday');
    expect(refused).toMatchObject({ code: 1, complained: expect.stringContaining('not authorized') });
    const restored = await run('restore', { MONGODB_URI: uriOf('readWriteAnyDatabase'), ...target }, 'tuesday');
    expect(restored).toMatchObject({ code: 0, complained: '' });
  });

  it('is taken by an address that leads to the primary directly, as through a forwarded port', async () => {
    const [, port = ''] = /:(\d+)\//.exec(engine.address) ?? [];
    const uri = `mongodb://readAnyDatabase:secret@127.0.0.1:${port}/?directConnection=true&authSource=admin`;
    expect(await run('backup', { MONGODB_URI: uri }, 'wednesday')).toMatchObject({ code: 0 });
  });
});

function ignore(): void {
  // Trouble shows in what the commands say.
}
