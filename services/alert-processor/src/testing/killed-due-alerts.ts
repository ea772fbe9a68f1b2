/**
 * A process that does what alerts do by themselves, and kills itself at a point. Its one argument is a {@link KilledDueAlerts} in JSON. It
 * writes what it publishes to its parent, one line for each call.
 */
import { connectMongo } from '@tocsin/mongo';
import { dieAt, monitoredUri, publishAll, tellParent, type PointOfDeath } from '@tocsin/testkit';
import { openDueStage } from './due-stage.ts';

export interface KilledDueAlerts {
  readonly mongoUri: string;
  readonly database: string;
  /** By the clock of the service. */
  readonly now: string;
  readonly dieAt: PointOfDeath;
}

const { database, mongoUri, now, ...options } = JSON.parse(process.argv[2] ?? '') as KilledDueAlerts;
const connection = await connectMongo({ uri: monitoredUri(mongoUri), database });
dieAt(connection.getClient(), options.dieAt);
const publisher = {
  publish: (_: unknown, messages: readonly unknown[]) => {
    tellParent(JSON.stringify(messages));
    return Promise.resolve();
  },
};
const { activate, outbox } = openDueStage({ connection, publisher, now: new Date(now) });
outbox.start();
await activate();
await publishAll(outbox);
await connection.close();
