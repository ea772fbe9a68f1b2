/**
 * A process that goes on with pending copies of notification rules, and kills itself at the point that it is told. Its one argument
 * is a {@link KilledCopier} in JSON.
 */
import { connectMongo } from '@tocsin/persistence';
import { dieAt, monitoredUri, type PointOfDeath } from '@tocsin/testing';
import { testApp } from './app-fixture.ts';
import { copyWorkOf } from './copy-work.ts';
import { mongoDirectory } from './mongo-directory.ts';

export interface KilledCopier {
  readonly mongoUri: string;
  readonly database: string;
  readonly dieAt: PointOfDeath;
}

async function runUntilDeath({ database, mongoUri, ...told }: KilledCopier): Promise<void> {
  const connection = await connectMongo({ uri: monitoredUri(mongoUri), database });
  dieAt(connection.getClient(), told.dieAt);
  await copyWorkOf(mongoDirectory(connection), () => testApp().directory.copyNotificationRules).goOn();
  await connection.close();
}

const [, script = '', told] = process.argv;
if (script.endsWith('killed-copier.ts') && told !== undefined) await runUntilDeath(JSON.parse(told) as KilledCopier);
