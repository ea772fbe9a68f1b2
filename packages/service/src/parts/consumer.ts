import type { CheckpointStore, NamedTopic } from '@tocsin/events';
import { BacklogReports, BatchConsumer, type Publisher, type Subscription } from '@tocsin/kafka';
import { MongoCheckpoints, type Connection } from '@tocsin/mongo';
import type { ServiceContext } from '../context.ts';
import { kafkaOf } from './kafka.ts';

/** The parts of {@link startConsumer} besides the context. */
export interface ConsumerSettings {
  /** The group's name, without the installation's prefix. */
  readonly group: string;
  readonly subscriptions: readonly Subscription[];
  /** Publishes the dead letters. */
  readonly publisher: Publisher;
  /** The database of the effects. Without one, Kafka has the position and the effects must be idempotent. */
  readonly checkpointsIn?: Connection;
  /**
   * Under a steady stream, records are fetched once in this time, so that one transaction has more of them. Milliseconds; 150 by
   * default. Longer only for records for which no caller and no later stage waits.
   */
  readonly gatherMs?: number;
  /** A topic of the subscriptions that every page goes through. The consumer publishes its backlog for alert-processor (F3). */
  readonly reportsBacklogOf?: NamedTopic;
  /** Most records of a partition that are settled together. */
  readonly maxRecordsPerPartition?: number;
}

/** How long records are gathered unless a consumer may take longer. */
const GATHER_MS = 150;

/** Longer than a batch takes, because a consumer that settles nothing between two reports does not report. */
const REPORT_EVERY_MS = 250;

/** Starts the service's consumer. Resolves once it has its partitions. The stop settles the running batches first. */
export async function startConsumer(
  context: ServiceContext,
  settings: ConsumerSettings,
): Promise<Pick<BatchConsumer, 'backlogs'>> {
  const { activity, clock, config, lifecycle, logger, metrics, onFatal, realClock, tasks, tracer } = context;
  const { checkpointsIn, gatherMs = GATHER_MS, group, publisher, maxRecordsPerPartition, subscriptions } = settings;
  const checkpoints: CheckpointStore | undefined = checkpointsIn && new MongoCheckpoints(checkpointsIn);
  const consumer = new BatchConsumer({
    kafka: await kafkaOf(context),
    groupId: config.common.topicPrefix + group,
    subscriptions,
    publisher,
    clock,
    logger,
    onFatal,
    checkpoints,
    metrics,
    ...(tracer.on && { tracer }),
    fetchEveryMs: Math.min(gatherMs, context.maxGatherMs ?? gatherMs),
    ...(maxRecordsPerPartition !== undefined && { maxRecordsPerPartition }),
    sessionTimeoutMs: config.common.sessionTimeoutMs,
  });
  activity.add(`records of ${group}`, { pending: (readBounds) => consumer.pending(readBounds) });
  await lifecycle.startWork(
    `consumer ${group}`,
    () => consumer.start(),
    () => consumer.stop(),
  );
  if (settings.reportsBacklogOf !== undefined) {
    const { name } = settings.reportsBacklogOf;
    const backlogs = () => consumer.backlogs(name);
    const reports = new BacklogReports({ consumer: group, backlogs, publisher, now: () => realClock.now() });
    tasks.add({ name: `backlog-${name}`, everyMs: REPORT_EVERY_MS, activate: () => reports.report() });
  }
  return consumer;
}
