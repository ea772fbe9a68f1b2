/**
 * A process that goes on with pending copies of notification rules, and kills itself at a given point. Its one argument
 * is a {@link KilledCopier} in JSON.
 */
import { connectMongo } from '@tocsin/mongo';
import { dieAt, monitoredUri, type PointOfDeath } from '@tocsin/testkit';
import { appOn } from './app-on-mongo.ts';
import { copyWorkOf } from './copy-work.ts';
import { mongoDirectory } from './mongo-directory.ts';

export interface KilledCopier {
  readonly mongoUri: string;
  readonly database: string;
  readonly dieAt: PointOfDeath;
}

async function runUntilDeath({ database, mongoUri, ...options }: KilledCopier): Promise<void> {
  const connection = await connectMongo({ uri: monitoredUri(mongoUri), database });
  dieAt(connection.getClient(), options.dieAt);
  const stores = mongoDirectory(connection);
  await copyWorkOf(stores, () => appOn(stores).directory.copyNotificationRules).goOn();
  await connection.close();
}

const [, script = '', options] = process.argv;
if (script.endsWith('killed-copier.ts') && options !== undefined)
  await runUntilDeath(JSON.parse(options) as KilledCopier);
