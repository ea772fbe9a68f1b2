import { ALL_TOPICS, type ServiceName, type StateMessage, type TopicDefinition } from '@tocsin/events';
import { BatchingPublisher, ensureTopics, KafkaConnection, TopicReplicas, type ReplicaView } from '@tocsin/kafka';
import { createLogger, type Logger } from '../observability/index.ts';
import { connectMongo, databaseOf, type Connection } from '@tocsin/mongo';
import { freePort, serviceEnvironment } from '@tocsin/testkit';
import type { Lifecycle } from '../lifecycle.ts';

type Environment = Readonly<Record<string, string>>;
type Compose = (environment: Environment) => Promise<{ readonly lifecycle: Lifecycle }>;

/** A service whose database a test restores, and replicas that follow its topics all the time, as those of other services do. */
export class RestorableService {
  readonly publisher: BatchingPublisher;
  readonly database: Connection;
  readonly port: number;
  readonly #kafka: KafkaConnection;
  readonly #replicas: TopicReplicas;
  readonly #compose: () => ReturnType<Compose>;
  #lifecycle: Lifecycle | undefined;

  private constructor(
    kafka: KafkaConnection,
    database: Connection,
    options: { readonly environment: Environment; readonly compose: Compose; readonly logger: Logger },
  ) {
    const { compose, environment, logger } = options;
    this.#kafka = kafka;
    this.database = database;
    this.port = Number(environment['PORT']);
    this.#compose = () => compose(environment);
    this.publisher = new BatchingPublisher({ kafka, logger });
    this.#replicas = new TopicReplicas({
      kafka,
      logger,
      lookUp: () => Promise.resolve([]),
      onFatal: (error) => {
        throw error;
      },
    });
  }

  /** A service with `settings` that does not run yet. `compose` starts it. */
  static async open(name: ServiceName, settings: Environment, compose: Compose): Promise<RestorableService> {
    const { brokers, topicPrefix, uri, databasePrefix, environment } = await serviceEnvironment();
    await ensureTopics({ brokers, prefix: topicPrefix, topics: ALL_TOPICS, partitions: 1 });
    const database = await connectMongo({ uri, database: databaseOf(name, databasePrefix) });
    const logger = createLogger(name, 'silent');
    const kafka = new KafkaConnection({ brokers, clientId: 'test', topicPrefix, logger });
    const ports = { PORT: String(await freePort()), ADMIN_PORT: String(await freePort()) };
    const service = new RestorableService(kafka, database, {
      environment: { ...environment, ...ports, LOG_LEVEL: 'silent', ...settings },
      compose,
      logger,
    });
    await service.publisher.start();
    return service;
  }

  /** Adds a replica of a topic. Call it before the first start. */
  follow<T>(topic: TopicDefinition<StateMessage<T>>): ReplicaView<T> {
    return this.#replicas.add(topic);
  }

  async start(): Promise<void> {
    if (this.#lifecycle === undefined) await this.#replicas.start();
    ({ lifecycle: this.#lifecycle } = await this.#compose());
  }

  async stop(): Promise<void> {
    await this.#lifecycle?.stop();
  }

  /** Stops the service and all beside it, and drops its database. */
  async end(): Promise<void> {
    await this.stop();
    await this.#replicas.stop();
    await this.publisher.stop();
    await this.#kafka.stop();
    await this.database.dropDatabase();
    await this.database.close();
  }
}
