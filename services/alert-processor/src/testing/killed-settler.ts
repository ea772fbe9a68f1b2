/**
 * A separate process that settles alert commands like the service, and can kill itself at one point of a batch. Its
 * only argument is a {@link KilledSettler} in JSON. It messages its parent once its group has assigned it partitions.
 */
import { ManualClock, systemClock } from '@tocsin/clock';
import { AlertCommands, AlertEvents, WebhookCommands } from '@tocsin/contracts';
import { BatchConsumer, BatchingPublisher, KafkaConnection, subscription } from '@tocsin/messaging';
import { createLogger } from '@tocsin/observability';
import { connectMongo, MongoCheckpoints, Outbox, type RelayPublisher } from '@tocsin/persistence';
import { dieAt, monitoredUri, type PointOfDeath } from '@tocsin/testing';
import { CurrentRules } from '../application/current-rules.ts';
import { SettleAlertCommands } from '../application/settle-alert-commands.ts';
import { alertCommandsHandler } from '../events/alert-commands-handler.ts';
import { MemoryConfigurationStore } from './memory-configuration-store.ts';
import { POLICIES_BY_TAG } from './planned-lives.ts';
import { MongoAlertLedger } from '../storage/mongo-alert-ledger.ts';
import { MongoTinyIds } from '../storage/mongo-tiny-ids.ts';

export interface KilledSettler {
  readonly brokers: string;
  readonly topicPrefix: string;
  readonly groupId: string;
  readonly mongoUri: string;
  readonly database: string;
  /** The fixed time of its clock, at which everything settles. Due times depend on it. */
  readonly settlesAt: string;
  readonly dieAt?: PointOfDeath;
  /** It commits events but can not publish any. */
  readonly isMute?: boolean;
}

async function settleUntilDeath(told: KilledSettler): Promise<void> {
  const logger = createLogger('alert-processor', 'error');
  const { brokers, groupId, topicPrefix } = told;
  const connection = await connectMongo({ uri: monitoredUri(told.mongoUri), database: told.database });
  if (told.dieAt !== undefined) dieAt(connection.getClient(), told.dieAt);
  const kafka = new KafkaConnection({ brokers: brokers.split(','), clientId: 'settler', topicPrefix, logger });
  const publisher = new BatchingPublisher({ kafka, logger });
  await publisher.start();
  const mute: RelayPublisher = { publish: () => new Promise<never>(() => undefined) };
  const relayed = {
    connection,
    topics: [AlertEvents, WebhookCommands],
    publisher: told.isMute === true ? mute : publisher,
  };
  const outbox = new Outbox({ ...relayed, logger, leaseMs: 500, renewEveryMs: 100 });
  outbox.start();
  const configuration = new MemoryConfigurationStore(POLICIES_BY_TAG);
  const commands = new SettleAlertCommands({
    ledger: new MongoAlertLedger({ connection, outbox, dueWork: { written: () => undefined } }),
    tinyIds: new MongoTinyIds(connection),
    rules: new CurrentRules(configuration, 'UTC'),
    directory: {
      known: () => undefined,
      resolve: ({ id = '' }) => Promise.resolve({ kind: 'known', id, name: id }),
      nameOf: (_, id) => id,
      everyone: () => [],
    },
    clock: new ManualClock(new Date(told.settlesAt)),
    onSettled: () => undefined,
  });
  const consumer = new BatchConsumer({
    kafka,
    groupId,
    publisher,
    clock: systemClock,
    logger,
    subscriptions: [subscription(AlertCommands, alertCommandsHandler(commands))],
    checkpoints: new MongoCheckpoints(connection),
    onFatal: (error) => {
      throw error;
    },
  });
  await consumer.start();
  process.send?.('consuming');
}

const [, script = '', told] = process.argv;
if (script.endsWith('killed-settler.ts') && told !== undefined)
  await settleUntilDeath(JSON.parse(told) as KilledSettler);
