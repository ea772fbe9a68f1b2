import { setTimeout as pause } from 'node:timers/promises';
import { connectMongo } from '@tocsin/mongo';
import { AttachmentStore } from '../attachments/store.ts';

const [uri = '', database = '', until = ''] = process.argv.slice(2);

/** Bytes without an end: the test kills this process. */
async function* endless(): AsyncGenerator<Uint8Array, void> {
  for (;;) {
    yield Buffer.alloc(255 * 1_024);
    await pause(5);
  }
}

await new AttachmentStore(await connectMongo({ uri, database })).keep(
  { name: 'endless', type: 'text/plain', bytes: endless() },
  new Date(until),
);
