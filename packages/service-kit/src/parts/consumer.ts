import type { CheckpointStore, TopicDefinition } from '@tocsin/contracts';
import { BacklogReports, BatchConsumer, type Publisher, type Subscription } from '@tocsin/messaging';
import { MongoCheckpoints, type Connection } from '@tocsin/persistence';
import type { ServiceContext } from '../context.ts';
import { everySeconds } from '../every.ts';
import { kafkaOf } from './kafka.ts';

/** What {@link startConsumer} needs beside the context. */
export interface ConsumerSettings {
  /** The group's name, without the installation's prefix. */
  readonly group: string;
  readonly subscriptions: readonly Subscription[];
  /** Takes the dead letters. */
  readonly publisher: Publisher;
  /** The database that holds the effects; without one, Kafka keeps the position and the effects must fold. */
  readonly checkpointsIn?: Connection;
  /** How far apart the fetches of a steady stream are, milliseconds; less than 5 000. As the consumer has it unless given. */
  readonly fetchEveryMs?: number;
  /** Every page goes through this topic of the subscriptions: how far behind it the consumer is, is told to the gateways (F3). */
  readonly reportsBacklogOf?: Pick<TopicDefinition<never>, 'name'>;
}

/** How often a consumer tells how far behind it is: rarer than it settles a batch, because one that settles nothing tells nothing. */
const REPORT_SECONDS = 0.25;

/** Starts the service's consumer: ready once it has its partitions; at the stop the running batches are settled first. */
export async function startConsumer(context: ServiceContext, settings: ConsumerSettings): Promise<void> {
  const { activity, clock, config, lifecycle, logger, metrics, onFatal, tracer } = context;
  const { checkpointsIn, group, fetchEveryMs, publisher, subscriptions } = settings;
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
    sessionTimeoutMs: config.common.sessionTimeoutMs,
    ...(fetchEveryMs !== undefined && { fetchEveryMs }),
  });
  activity.add(`records of ${group}`, { pending: () => consumer.pending() });
  await lifecycle.start(
    `consumer ${group}`,
    () => consumer.start(),
    () => consumer.stop(),
  );
  if (settings.reportsBacklogOf !== undefined) {
    const { name } = settings.reportsBacklogOf;
    const backlogs = () => consumer.backlogs(name);
    const reports = new BacklogReports({ consumer: group, backlogs, publisher, now: () => new Date() });
    await everySeconds(context, REPORT_SECONDS, `telling how far behind ${name} is`, () => reports.report());
  }
}
