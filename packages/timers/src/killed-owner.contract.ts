/**
 * A process of its own that claims every due timer and never ends firing, so that a test can kill it while it holds
 * leases. Arguments: URI, database, collection, lease in milliseconds. Prints a line once it holds something.
 */
import { systemClock } from '@tocsin/clock';
import { createConnection } from 'mongoose';
import { Timers } from './index.ts';

const [uri = '', dbName = '', collection = '', leaseMs = ''] = process.argv.slice(2);
const connection = await createConnection(uri, { dbName, autoCreate: false }).asPromise();

new Timers({
  connection,
  collection,
  clock: systemClock,
  leaseMs: Number(leaseMs),
  logger: { error: () => undefined },
  fire: async (due) => {
    process.stdout.write(`holds ${due.length}\n`);
    await new Promise<never>(() => undefined);
  },
}).start();
