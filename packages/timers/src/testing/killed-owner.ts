/**
 * A process of its own that claims every due timer, so that a test can kill or freeze it while it holds leases. Arguments:
 * URI, database, collection, lease in milliseconds. Prints a line once it holds something; told to on its standard input, it
 * removes that and prints how many were still its own.
 */
import { once } from 'node:events';
import { systemClock } from '@tocsin/clock';
import { createConnection } from 'mongoose';
import { Timers } from '../index.ts';

const [uri = '', dbName = '', collection = '', leaseMs = ''] = process.argv.slice(2);
const connection = await createConnection(uri, { dbName, autoCreate: false }).asPromise();

const timers: Timers<unknown> = new Timers<unknown>({
  connection,
  collection,
  clock: systemClock,
  leaseMs: Number(leaseMs),
  logger: { error: () => undefined },
  fire: async (due) => {
    process.stdout.write(`holds ${due.length}\n`);
    await once(process.stdin, 'data');
    process.stdout.write(`removed ${await timers.remove(due)}\n`);
  },
});
timers.start();
