import { setTimeout as pause } from 'node:timers/promises';
import { AlertCommands, AlertCommandsBulk, type AlertCommand, type BacklogState } from '@tocsin/events';
import {
  StagedProcessor,
  subscription,
  type BatchConsumer,
  type BatchProcessor,
  type Stages,
  type BatchingPublisher,
  type ReplicaView,
} from '@tocsin/kafka';
import { CheckpointTransactions, type Connection, type Session } from '@tocsin/mongo';
import { kafkaOf, startConsumer, type ServiceContext } from '@tocsin/service';
import {
  BULK_COMMANDS_AT_ONCE,
  BULK_GROUPS,
  bulkCommands,
  type DecidedCommands,
  type PreparedCommands,
} from './alerts/consumer.ts';
import type { StoredState } from './alerts/apply-commands.ts';
import { OPEN_ALIAS } from './database.ts';
import { BulkPace } from './requests/lanes/bulk-pace.ts';
import { CommandLanes } from './requests/lanes/command-lanes.ts';
import { LaterBacklogs } from './requests/lanes/later-backlogs.ts';
import type { Config } from './config.ts';
import { FairRates } from './requests/lanes/fair-rates.ts';
import { reportMoved } from './requests/lanes/report-moved.ts';
import { bulkLog, positionsOf } from './requests/lanes/bulk-log-store.ts';

export interface CommandConsumerParts {
  readonly connection: Connection;
  readonly publisher: BatchingPublisher;
  readonly processors: CommandProcessors;
  /** The complete reports of the consumers of the later stages. */
  readonly backlogs: ReplicaView<BacklogState>;
}

/** How long others may wait before the bulk topic rests between its transactions. Milliseconds. */
const BUSY_AFTER_MS = 200;
const REFRESH_EVERY_MS = 250;

/** Starts the consumers of `alert-commands.v1` and of its bulk topic (F3). */
export async function consumeCommands(context: ServiceContext<Config>, parts: CommandConsumerParts): Promise<void> {
  const { logger, metrics, realClock, tasks } = context;
  const { connection, processors, publisher } = parts;
  const later = laterBacklogs(parts.backlogs);
  const kafka = await kafkaOf(context);
  const lanes = new CommandLanes({
    commands: processors.atCheckpoint,
    bulk: bulkLog({ kafka, connection, publisher }),
    positions: positionsOf(connection, AlertCommands),
    rates: new FairRates(context.config.fairRate),
    laterWaitMs: () => later.waitMs(),
    now: () => realClock.now(),
    onMoved: reportMoved({ logger, metrics, nowMs: monotonicMs }),
  });
  const consumer = await startConsumer(context, {
    group: 'alert-processor',
    publisher,
    checkpointsIn: connection,
    subscriptions: [subscription(AlertCommands, lanes)],
  });
  tasks.add({ name: 'bulk-keys', everyMs: REFRESH_EVERY_MS, activate: () => lanes.refresh() });
  const isWaiting = (): boolean => waitMs(consumer, realClock.now()) + later.waitMs() > BUSY_AFTER_MS;
  const pace = new BulkPace({ isWaiting, pause, nowMs: monotonicMs });
  await startConsumer(context, {
    group: 'alert-processor-bulk',
    publisher,
    checkpointsIn: connection,
    subscriptions: [subscription(AlertCommandsBulk, bulkCommands(processors.processor, pace), BULK_GROUPS)],
    maxRecordsPerPartition: BULK_COMMANDS_AT_ONCE,
  });
}

/** Processes commands with the checkpoints in the database of `connection`. */
export function commandProcessors(
  connection: Connection,
  stages: Stages<AlertCommand | undefined, Session, PreparedCommands, StoredState, DecidedCommands>,
): CommandProcessors {
  // Another partition may have opened the alias since the snapshot. Then the transaction runs again on a new one.
  const options = { connection, racingIndexes: [OPEN_ALIAS] };
  const processor = new StagedProcessor(stages, new CheckpointTransactions(options));
  const strict = new StagedProcessor(stages, new CheckpointTransactions({ ...options, onlyAtCheckpoint: true }));
  return {
    processor,
    atCheckpoint: {
      process: (batches) => strict.process(batches),
      deadLetter: (record, reason) => processor.deadLetter(record, reason),
    },
  };
}

export interface CommandProcessors {
  readonly processor: BatchProcessor<AlertCommand | undefined>;
  /** Answers a batch that begins below its checkpoint with `seek`, too. */
  readonly atCheckpoint: BatchProcessor<AlertCommand | undefined>;
}

/** Only reports from now on count: what the topic held is out of date. */
function laterBacklogs(backlogs: ReplicaView<BacklogState>): LaterBacklogs {
  const later = new LaterBacklogs(monotonicMs);
  backlogs.whenChanged((id) => {
    const backlog = backlogs.get(id);
    if (backlog !== undefined) later.report(id, backlog);
  });
  return later;
}

/** For how long the oldest fetched command waits that is not processed. */
function waitMs(consumer: Pick<BatchConsumer, 'backlogs'>, now: Date): number {
  const backlogs = consumer.backlogs(AlertCommands.name).values();
  return Math.max(0, ...backlogs.map(({ oldestMs }) => (oldestMs === undefined ? 0 : now.getTime() - oldestMs)));
}

const monotonicMs = (): number => performance.now();
