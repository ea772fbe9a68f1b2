/**
 * A process that answers one import, and kills itself at a given point. Its one argument is a {@link KilledImporter} in JSON.
 */
import { connectMongo } from '@tocsin/mongo';
import { dieAt, monitoredUri, type PointOfDeath } from '@tocsin/testkit';
import { appOn } from './app-on-mongo.ts';
import { mongoDirectory } from './mongo-directory.ts';

export interface KilledImporter {
  readonly mongoUri: string;
  readonly database: string;
  readonly dieAt: PointOfDeath;
  readonly path: string;
  readonly body: object;
}

async function runUntilDeath({ body, database, mongoUri, path, ...options }: KilledImporter): Promise<void> {
  const connection = await connectMongo({ uri: monitoredUri(mongoUri), database });
  dieAt(connection.getClient(), options.dieAt);
  await appOn(mongoDirectory(connection)).put(path, body);
  await connection.close();
}

const [, script = '', options] = process.argv;
if (script.endsWith('killed-importer.ts') && options !== undefined)
  await runUntilDeath(JSON.parse(options) as KilledImporter);
