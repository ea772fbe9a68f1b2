/**
 * A separate process that processes alert commands like the service, and can kill itself at one point of a batch. Half of the commands
 * count as those of an integration that floods while commands wait, so that many go by the bulk topic. Its
 * only argument is a {@link KilledProcessor} in JSON. It messages its parent once its group has assigned it partitions.
 */
import { ManualClock, systemClock } from '@tocsin/core';
import { AlertCommands, AlertCommandsBulk, AlertEvents, WebhookCommands } from '@tocsin/events';
import { BatchConsumer, BatchingPublisher, KafkaConnection, subscription, type Subscription } from '@tocsin/kafka';
import { createLogger } from '@tocsin/service';
import { connectMongo, MongoCheckpoints, Outbox, type RelayPublisher } from '@tocsin/mongo';
import { dieAt, monitoredUri, type PointOfDeath } from '@tocsin/testkit';
import { CommandLanes } from '../requests/lanes/command-lanes.ts';
import { CurrentRules } from '../policies/apply-operations.ts';
import { alertCommands, BULK_GROUPS, bulkCommands, CommandBatches } from '../alerts/consumer.ts';
import { commandProcessors } from '../compose-consumers.ts';
import { POLICIES_BY_TAG } from './planned-lives.ts';
import { AlertStore } from '../alerts/store.ts';
import { bulkLog, positionsOf } from '../requests/lanes/bulk-log-store.ts';
import { TinyIdStore } from '../alerts/tiny-id-store.ts';
import { directoryOf } from './directory-samples.ts';

export interface KilledProcessor {
  readonly brokers: string;
  readonly topicPrefix: string;
  readonly groupId: string;
  readonly mongoUri: string;
  readonly database: string;
  /** The fixed time of its clock, at which everything is processed. Due times depend on it. */
  readonly processedAt: string;
  readonly dieAt?: PointOfDeath;
  /** It commits events but can not publish any. */
  readonly isMute?: boolean;
}

async function processUntilDeath(options: KilledProcessor): Promise<void> {
  const logger = createLogger('alert-processor', 'error');
  const { brokers, groupId, topicPrefix } = options;
  const connection = await connectMongo({ uri: monitoredUri(options.mongoUri), database: options.database });
  if (options.dieAt !== undefined) dieAt(connection.getClient(), options.dieAt);
  const kafka = new KafkaConnection({ brokers: brokers.split(','), clientId: 'processor', topicPrefix, logger });
  const publisher = new BatchingPublisher({ kafka, logger });
  await publisher.start();
  const mute: RelayPublisher = { publish: () => new Promise<never>(() => undefined) };
  const relayed = {
    connection,
    topics: [AlertEvents, WebhookCommands],
    publisher: options.isMute === true ? mute : publisher,
  };
  const outbox = new Outbox({ ...relayed, logger, leaseMs: 500, renewEveryMs: 100 });
  outbox.start();
  const configuration = { current: () => Promise.resolve(POLICIES_BY_TAG) };
  const commands = new CommandBatches({
    tinyIds: new TinyIdStore(connection),
    rules: new CurrentRules(configuration, 'UTC'),
    directory: directoryOf(({ id = '' }) => ({ kind: 'known', id, name: id })),
    clock: new ManualClock(new Date(options.processedAt)),
    onProcessed: () => undefined,
    onHookItem: () => undefined,
  });
  const ledger = new AlertStore({ connection, outbox, dueWork: { wakeAfterCommit: () => undefined } });
  const { atCheckpoint, processor } = commandProcessors(connection, alertCommands(commands, ledger));
  const lanes = new CommandLanes({
    commands: atCheckpoint,
    bulk: bulkLog({ kafka, connection, publisher }),
    positions: positionsOf(connection, AlertCommands),
    laterWaitMs: () => Infinity,
    now: () => systemClock.now(),
    onMoved: () => undefined,
    rates: {
      count: ({ requestId }) => Buffer.from(requestId).reduce((sum, byte) => sum + byte, 0) % 2 === 0,
      isAlone: () => false,
    },
  });
  setInterval(() => void lanes.refresh().catch(() => undefined), 100);
  const consume = (group: string, one: Subscription): Promise<void> =>
    new BatchConsumer({
      kafka,
      groupId: group,
      publisher,
      clock: systemClock,
      logger,
      subscriptions: [one],
      checkpoints: new MongoCheckpoints(connection),
      onFatal: (error) => {
        throw error;
      },
    }).start();
  const pace = { run: <T>(work: () => Promise<T>) => work() };
  await Promise.all([
    consume(groupId, subscription(AlertCommands, lanes)),
    consume(`${groupId}-bulk`, subscription(AlertCommandsBulk, bulkCommands(processor, pace), BULK_GROUPS)),
  ]);
  process.send?.('consuming');
}

const [, script = '', options] = process.argv;
if (script.endsWith('killed-processor.ts') && options !== undefined)
  await processUntilDeath(JSON.parse(options) as KilledProcessor);
