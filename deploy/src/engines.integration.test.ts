import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { adminCommand, freePort, obtainMongod, startMongod, downloads } from '@tocsin/testkit';
import { connectMongo, type Connection } from '@tocsin/mongo';
import { DataFolder } from './data-folder.ts';
import { runMongo, type Engine } from './engines.ts';
import { mongoUriOf } from './mongo-users.ts';
import { SERVICES } from './service-plan.ts';

const USERS = { key: 'a'.repeat(64), databasePrefix: 'tocsin_' };
const REPORTS = { say: () => undefined, started: () => undefined };
const WITH_DATABASE = SERVICES.filter((service) => service !== 'gateway');
const databaseOf = (service: string): string => `tocsin_${service.replaceAll('-', '_')}`;

let folder: DataFolder;
const engines: Engine[] = [];
const connections: Connection[] = [];

beforeEach(() => {
  folder = new DataFolder(fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-engines-')), downloads());
  folder.open();
});
afterEach(async () => {
  for (const connection of connections.splice(0)) await connection.close();
  for (const running of engines.splice(0)) await running.stop();
  fs.rmSync(folder.path, { recursive: true });
});

async function start(users?: typeof USERS): Promise<Engine> {
  const running = await runMongo(folder, REPORTS, users);
  engines.push(running);
  return running;
}

async function connected(uri: string, database: string): Promise<Connection> {
  const connection = await connectMongo({ uri, database });
  connections.push(connection);
  return connection;
}

const REFUSED = { codeName: 'Unauthorized' };

describe('a MongoDB with users', () => {
  test('lets each service read and write its own database, and no other', async () => {
    const { address } = await start(USERS);
    for (const service of WITH_DATABASE) {
      const connection = await connected(mongoUriOf(service, address, USERS), databaseOf(service));
      await connection.collection('things').insertOne({ of: service });
      await connection.collection('things').createIndex({ of: 1 }, {}, {});
      expect(await connection.collection('things').countDocuments({ of: service })).toBe(1);
    }

    for (const service of WITH_DATABASE)
      for (const other of WITH_DATABASE.filter((each) => each !== service)) {
        const connection = await connected(mongoUriOf(service, address, USERS), databaseOf(other));
        await expect(connection.collection('things').findOne({})).rejects.toMatchObject(REFUSED);
        await expect(connection.collection('things').insertOne({})).rejects.toMatchObject(REFUSED);
        await expect(connection.dropDatabase()).rejects.toMatchObject(REFUSED);
      }
  });

  test('lets no service see or make users, and refuses a client without a login or with a wrong password', async () => {
    const { address } = await start(USERS);

    const asDirectory = await connected(mongoUriOf('directory', address, USERS), 'admin');
    await expect(asDirectory.db?.command({ usersInfo: 1 })).rejects.toMatchObject(REFUSED);
    await expect(
      asDirectory.db?.command({ createUser: 'mine', pwd: 'mine', roles: [{ role: 'root', db: 'admin' }] }),
    ).rejects.toMatchObject(REFUSED);
    const withoutLogin = await connected(address, databaseOf('directory'));
    await expect(withoutLogin.collection('things').findOne({})).rejects.toMatchObject(REFUSED);
    const guessed = mongoUriOf('directory', address, { ...USERS, key: 'b'.repeat(64) });
    await expect(connected(guessed, databaseOf('directory'))).rejects.toMatchObject({
      codeName: 'AuthenticationFailed',
    });
  });

  test('lets no client of this machine act without a login before the users are made', async () => {
    let refusal: unknown;
    const mongod = await startMongod({
      binary: await obtainMongod(folder.downloads, () => undefined),
      dataDir: folder.mongo,
      port: await freePort(),
      keyFile: folder.mongoKeyFile(USERS.key),
      initiate: async (port) => {
        const replSetInitiate = { _id: 'rs0', members: [{ _id: 0, host: `127.0.0.1:${port}` }] };
        refusal = await adminCommand(port, { replSetInitiate }).catch((error: unknown) => error);
      },
    });
    await mongod.stop();
    expect(refusal).toMatchObject(REFUSED);
  });

  test('goes on with the data of a start without users, on another port and with another key', async () => {
    const open = await start();
    const before = await connected(open.address, databaseOf('directory'));
    await before.collection('things').insertOne({ of: 'earlier' });
    await before.close();
    await open.stop();

    for (const users of [USERS, { ...USERS, key: 'b'.repeat(64) }]) {
      const running = await start(users);
      const uri = mongoUriOf('directory', running.address, users);
      const after = await connected(uri, databaseOf('directory'));
      expect(await after.collection('things').countDocuments({ of: 'earlier' })).toBe(1);
      await after.close();
      await running.stop();
    }
  });
});
