import { BatchingPublisher, KafkaConnection, type BatchingPublisherOptions } from '@tocsin/kafka';
import type { ServiceContext } from '../context.ts';

const connections = new WeakMap<ServiceContext, Promise<KafkaConnection>>();

/** The one connection of the service to Kafka. It is closed after all parts that use it. */
export async function kafkaOf(context: ServiceContext): Promise<KafkaConnection> {
  const known = connections.get(context) ?? connect(context);
  connections.set(context, known);
  return known;
}

async function connect({ config, lifecycle, logger, name }: ServiceContext): Promise<KafkaConnection> {
  const { instance, kafkaBrokers, kafkaSecurity, topicPrefix } = config.common;
  const connection = new KafkaConnection({
    brokers: kafkaBrokers,
    clientId: `${name}-${instance}`,
    topicPrefix,
    logger,
    security: kafkaSecurity,
  });
  return lifecycle.start(
    'kafka',
    async () => {
      await connection.requireAccess();
      return connection;
    },
    () => connection.stop(),
  );
}

/** Starts the service's publisher, which waits for Kafka. The stop sends the queued messages. */
export async function openPublisher(
  context: ServiceContext,
  numbered?: BatchingPublisherOptions['numbered'],
): Promise<BatchingPublisher> {
  const { activity, lifecycle, logger, metrics, tracer } = context;
  const kafka = await kafkaOf(context);
  const publisher = await lifecycle.start(
    'publisher',
    async () => {
      const made = new BatchingPublisher({ kafka, logger, metrics, numbered, ...(tracer.on && { tracer }) });
      await made.start();
      return made;
    },
    (made) => made.stop(),
  );
  activity.add('publisher', { pending: () => publisher.pending() });
  return publisher;
}
