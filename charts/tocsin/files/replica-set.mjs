// Makes MEMBER, the host and port of a mongod as the services know it, the one member of a replica set. Done again, it changes nothing.
// With MONGODB_KEY, the key by which members know each other, it logs in as one of them, and makes a user for each variable
// MONGODB_PASSWORD_<SERVICE>: `tocsin_directory` reads and writes the database `tocsin_directory` and no other.
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const ALREADY_INITIATED = 23;
const USER_EXISTS = 51_003;
const PASSWORD = 'MONGODB_PASSWORD_';

// The driver of the folder in which this runs: that of a service in its image, or the repository.
const { MongoClient } = createRequire(path.resolve('package.json'))('mongodb');
const { MEMBER: member, MONGODB_KEY: key, MONGODB_DATABASE_PREFIX: prefix = 'tocsin_' } = process.env;
const until = performance.now() + Number(process.env.PREPARE_WITHIN_SECONDS) * 1_000;

for (;;) {
  try {
    await prepare();
    break;
  } catch (error) {
    if (performance.now() > until) throw error;
    console.log(`MongoDB is not there yet: ${error.message}`);
    await pause(1_000);
  }
}
console.log(`${member} is the primary of rs0.`);

async function prepare() {
  const login = key && {
    auth: { username: '__system', password: key },
    authSource: 'local',
    authMechanism: 'SCRAM-SHA-256',
  };
  const client = new MongoClient(`mongodb://${member}/?directConnection=true`, {
    serverSelectionTimeoutMS: 5_000,
    ...login,
  });
  try {
    const admin = client.db('admin');
    await initiate(admin);
    while (!(await admin.command({ hello: 1 })).isWritablePrimary) {
      if (performance.now() > until) throw new Error('it is no primary yet');
      await pause(20);
    }
    if (key) await makeUsers(admin);
  } finally {
    await client.close();
  }
}

/** A set that was initiated with another host or port is moved. */
async function initiate(admin) {
  const members = [{ _id: 0, host: member }];
  try {
    await admin.command({ replSetInitiate: { _id: 'rs0', members } });
  } catch (error) {
    if (error.code !== ALREADY_INITIATED) throw error;
    const { config } = await admin.command({ replSetGetConfig: 1 });
    if (config.members[0]?.host === member) return;
    await admin.command({ replSetReconfig: { ...config, version: config.version + 1, members }, force: true });
  }
}

/** A user that exists gets the password and the rights again. */
async function makeUsers(admin) {
  const passwords = Object.entries(process.env).filter(([name]) => name.startsWith(PASSWORD));
  for (const [name, password] of passwords) {
    const user = `${prefix}${name.slice(PASSWORD.length).toLowerCase()}`;
    const rights = {
      pwd: password,
      roles: [{ role: 'readWrite', db: user }],
      mechanisms: ['SCRAM-SHA-256'],
    };
    await admin.command({ createUser: user, ...rights }).catch((error) => {
      if (error.code !== USER_EXISTS) throw error;
      return admin.command({ updateUser: user, ...rights });
    });
  }
}
