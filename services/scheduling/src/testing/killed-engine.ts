/**
 * A process that processes one event of an alert, or the due work of its escalation state, and kills itself at `dieAt`. Its argument is a
 * {@link KilledEngine} in JSON. It writes what it publishes to its parent, one line for each batch.
 */
import type { AlertEvent, ConsumedBatch } from '@tocsin/events';
import { connectMongo } from '@tocsin/mongo';
import { dieAt, monitoredUri, publishAll, type PointOfDeath } from '@tocsin/testkit';
import type { Escalation } from '../escalations/escalation.ts';
import { publisherToParent } from './killed-process.ts';
import { configurationSample, openEngine } from './open-engine.ts';

export interface KilledEngine {
  readonly mongoUri: string;
  readonly database: string;
  readonly escalation: Partial<Escalation>;
  /** By the clock of the service. */
  readonly now: string;
  /** Absent where it does the due work. */
  readonly event?: ConsumedBatch<AlertEvent>;
  readonly dieAt?: PointOfDeath;
}

async function workUntilDeath({ database, escalation, event, mongoUri, now, ...killed }: KilledEngine): Promise<void> {
  const configured = configurationSample(escalation);
  configured.clock.moveTo(new Date(now));
  const connection = await connectMongo({ uri: monitoredUri(mongoUri), database });
  if (killed.dieAt !== undefined) dieAt(connection.getClient(), killed.dieAt);
  const opened = openEngine({ connection, publisher: publisherToParent, configured });
  const { outbox } = opened;
  outbox.start();
  if (event === undefined) await opened.processDue();
  else await opened.receiveEvents(event);
  await publishAll(outbox);
  await connection.close();
}

const [, script = '', argument] = process.argv;
if (script.endsWith('killed-engine.ts') && argument !== undefined)
  await workUntilDeath(JSON.parse(argument) as KilledEngine);
