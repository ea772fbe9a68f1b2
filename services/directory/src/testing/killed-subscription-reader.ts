/**
 * A process that reads one event of `subscription-events.v1`, and kills itself at a given point. Its one argument is a
 * {@link KilledSubscriptionReader} in JSON.
 */
import type { SubscriptionEvent } from '@tocsin/events';
import { connectMongo } from '@tocsin/mongo';
import { dieAt, monitoredUri, type PointOfDeath } from '@tocsin/testkit';
import { mongoDirectory } from './mongo-directory.ts';
import { subscriptionBatch } from './verification-batch.ts';

export interface KilledSubscriptionReader {
  readonly mongoUri: string;
  readonly database: string;
  readonly dieAt: PointOfDeath;
  readonly event: SubscriptionEvent;
}

async function runUntilDeath({ database, event, mongoUri, ...options }: KilledSubscriptionReader): Promise<void> {
  const connection = await connectMongo({ uri: monitoredUri(mongoUri), database });
  dieAt(connection.getClient(), options.dieAt);
  await mongoDirectory(connection).endedSubscriptions.process([subscriptionBatch([event])]);
  await connection.close();
}

const [, script = '', options] = process.argv;
if (script.endsWith('killed-subscription-reader.ts') && options !== undefined)
  await runUntilDeath(JSON.parse(options) as KilledSubscriptionReader);
