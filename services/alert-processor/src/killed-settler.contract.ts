/**
 * A process of its own that settles alert commands as the service does, and kills itself at one point of a batch. Its one
 * argument is a {@link KilledSettler} in JSON. Prints the session of each transaction that it begins.
 */
import { writeSync } from 'node:fs';
import { systemClock } from '@tocsin/clock';
import { AlertCommands, AlertEvents } from '@tocsin/contracts';
import { BatchConsumer, BatchingPublisher, KafkaConnection, subscription } from '@tocsin/messaging';
import { createLogger } from '@tocsin/observability';
import { connectMongo, MongoCheckpoints, Outbox, type Connection } from '@tocsin/persistence';
import { Timers } from '@tocsin/timers';
import { SettleAlertCommands } from './application/settle-alert-commands.ts';
import type { TimerPayload } from './domain/settle.ts';
import { alertCommandsHandler } from './events/alert-commands-handler.ts';
import { TIMERS } from './storage/collections.ts';
import { MongoAlertLedger } from './storage/mongo-alert-ledger.ts';
import { MongoAlertReader } from './storage/mongo-alert-reader.ts';
import { MongoTinyIds } from './storage/mongo-tiny-ids.ts';

/** A command to MongoDB, at which the process dies: before it is sent, or after it was answered. */
export interface PointOfDeath {
  readonly when: 'before' | 'after';
  readonly command: 'find' | 'findAndModify' | 'insert' | 'update' | 'delete' | 'commitTransaction';
  /** Any where it is absent. */
  readonly collection?: string;
}

export interface KilledSettler {
  readonly brokers: string;
  readonly topicPrefix: string;
  readonly groupId: string;
  readonly mongoUri: string;
  readonly database: string;
  readonly dieAt?: PointOfDeath;
}

interface CommandStarted {
  readonly requestId: number;
  readonly commandName: string;
  readonly command: Readonly<Record<string, unknown>> & {
    readonly startTransaction?: boolean;
    readonly lsid: { readonly id: Buffer };
  };
}

function dieAt(connection: Connection, { when, command, collection }: PointOfDeath): void {
  const client = connection.getClient();
  const meant = new Set<number>();
  client.on('commandStarted', ({ requestId, commandName, command: sent }: CommandStarted) => {
    // Before the death: nothing that waits in a stream would come out.
    if (sent.startTransaction === true) writeSync(1, `${sent.lsid.id.toString('hex')}\n`);
    if (commandName !== command || (collection !== undefined && sent[command] !== collection)) return;
    if (when === 'before') process.kill(process.pid, 'SIGKILL');
    meant.add(requestId);
  });
  client.on('commandSucceeded', ({ requestId }: { readonly requestId: number }) => {
    if (meant.has(requestId)) process.kill(process.pid, 'SIGKILL');
  });
}

async function settleUntilDeath(told: KilledSettler): Promise<void> {
  const logger = createLogger('alert-processor', 'error');
  const { brokers, database, groupId, mongoUri, topicPrefix } = told;
  const uri = new URL(mongoUri);
  uri.searchParams.set('monitorCommands', 'true');
  const connection = await connectMongo({ uri: uri.toString(), database });
  const kafka = new KafkaConnection({ brokers: brokers.split(','), clientId: 'settler', topicPrefix, logger });
  const publisher = new BatchingPublisher({ kafka, logger });
  await publisher.start();
  const outbox = new Outbox({ connection, publisher, topics: [AlertEvents], logger });
  outbox.start();
  const fire = () => Promise.resolve();
  const timers = new Timers<TimerPayload>({ connection, collection: TIMERS, clock: systemClock, fire, logger });
  const commands = new SettleAlertCommands({
    ledger: new MongoAlertLedger({ connection, outbox, timers }),
    reader: new MongoAlertReader(connection),
    tinyIds: new MongoTinyIds(connection),
    directory: { resolve: ({ id = '' }) => Promise.resolve({ kind: 'known', id, name: id }) },
    clock: systemClock,
    onSettled: () => undefined,
  });
  if (told.dieAt !== undefined) dieAt(connection, told.dieAt);
  const consumer = new BatchConsumer({
    ...{ kafka, groupId, publisher, clock: systemClock, logger },
    subscriptions: [subscription(AlertCommands, alertCommandsHandler(commands))],
    checkpoints: new MongoCheckpoints(connection),
    onFatal: (error) => {
      throw error;
    },
  });
  await consumer.start();
}

const [, script = '', told] = process.argv;
if (script.endsWith('killed-settler.contract.ts') && told !== undefined)
  await settleUntilDeath(JSON.parse(told) as KilledSettler);
