// Makes the demo's mongod the one member of a replica set. Done again, it changes nothing.
// MEMBER is its host and port as the services know it.
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';

const ALREADY_INITIATED = 23;
const { MongoClient } = createRequire('/app/package.json')('mongodb');
const member = process.env.MEMBER;
const until = performance.now() + Number(process.env.PREPARE_WITHIN_SECONDS) * 1_000;

for (;;) {
  try {
    await initiate();
    break;
  } catch (error) {
    if (performance.now() > until) throw error;
    console.log(`MongoDB is not there yet: ${error.message}`);
    await pause(1_000);
  }
}
console.log(`${member} is the primary of rs0.`);

async function initiate() {
  const client = new MongoClient(`mongodb://${member}/?directConnection=true`, { serverSelectionTimeoutMS: 5_000 });
  try {
    const admin = client.db('admin');
    const config = { _id: 'rs0', members: [{ _id: 0, host: member }] };
    await admin.command({ replSetInitiate: config }).catch((error) => {
      if (error.code !== ALREADY_INITIATED) throw error;
    });
    const { isWritablePrimary } = await admin.command({ hello: 1 });
    if (!isWritablePrimary) throw new Error('it is no primary yet');
  } finally {
    await client.close();
  }
}
