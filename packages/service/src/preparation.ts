import { retry, withTimeout } from '@tocsin/core';
import { ALL_TOPICS, type ServiceName } from '@tocsin/events';
import { AccessRefusedError, ensureTopics } from '@tocsin/kafka';
import { createLogger, secretsOf, type Logger, type LogLevel } from './observability/index.ts';
import {
  connectMongo,
  databaseOf,
  migrate,
  requireNoRestore,
  requireReplicaSet,
  type Connection,
  type IndexPlan,
} from '@tocsin/mongo';
import { z } from 'zod';
import { allIndexes } from './parts/mongo.ts';
import { fromEnvironment, KAFKA_SHAPE, MONGO_SHAPE } from './service-config.ts';

/**
 * How long a preparation may take. An index over many alerts takes minutes. A failed preparation is started again by the
 * deployment.
 */
const WITHIN_SHAPE = { PREPARE_WITHIN_SECONDS: z.coerce.number().int().min(1).max(86_400).default(600) } as const;

interface WithinSettings {
  readonly LOG_LEVEL: LogLevel;
  readonly PREPARE_WITHIN_SECONDS: number;
}

/** The settings of `prepare-database`. */
const DatabaseSettings = fromEnvironment(z.object({ ...MONGO_SHAPE, ...WITHIN_SHAPE }));

/** The settings of `prepare-topics`. */
const TopicSettings = fromEnvironment(
  z.object({
    ...KAFKA_SHAPE,
    ...WITHIN_SHAPE,
    /** Of topics of commands and events. It bounds how many processes of a service share its work. Never change it later. */
    KAFKA_TOPIC_PARTITIONS: z.coerce.number().int().min(1).max(1_000).default(24),
    /** -1 for the brokers' default. */
    KAFKA_TOPIC_REPLICATION: z.coerce.number().int().min(-1).max(15).default(-1),
  }),
);

interface Prepared {
  readonly name: ServiceName;
  /** Of the service's own collections. */
  readonly indexes: readonly IndexPlan[];
}

/**
 * The commands of a process of a service, by its first argument, which it runs instead of serving. Each may run again, in several
 * processes at once, and beside running services.
 *
 * - `prepare-database` creates the collections and indexes of the service, in a MongoDB that has transactions.
 * - `prepare-topics` creates all topics of the installation, and corrects the settings of existing ones.
 */
const PREPARATIONS = {
  'prepare-database': preparation(DatabaseSettings, prepareDatabase),
  'prepare-topics': preparation(TopicSettings, prepareTopics),
} as const;

type Preparation = keyof typeof PREPARATIONS;

export function isPreparation(task: string): task is Preparation {
  return Object.hasOwn(PREPARATIONS, task);
}

export const PREPARATION_NAMES: readonly string[] = Object.keys(PREPARATIONS);

/**
 * Resolves when `task` is done. It waits for MongoDB or Kafka, for `PREPARE_WITHIN_SECONDS` at most.
 *
 * @throws z.ZodError for wrong settings, AccessRefusedError, a driver error that is not transient, or Error when the time is
 *   over.
 */
export async function prepare(
  task: Preparation,
  prepared: Prepared,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  await PREPARATIONS[task](prepared, environment);
}

function preparation<T extends WithinSettings>(
  schema: z.ZodType<T>,
  run: (settings: T, prepared: Prepared, logger: Logger) => Promise<void>,
) {
  return async (prepared: Prepared, environment: Readonly<Record<string, string | undefined>>): Promise<void> => {
    const settings = schema.parse(environment);
    const logger = createLogger(prepared.name, settings.LOG_LEVEL, undefined, secretsOf(environment));
    const seconds = settings.PREPARE_WITHIN_SECONDS;
    await withTimeout(run(settings, prepared, logger), seconds * 1_000, () => {
      throw new Error(`It was not done within ${seconds} s (PREPARE_WITHIN_SECONDS).`);
    });
  };
}

/** Waits for MongoDB without a limit. */
async function prepareDatabase(
  settings: z.output<typeof DatabaseSettings>,
  { name, indexes }: Prepared,
  logger: Logger,
): Promise<void> {
  if (indexes.length === 0) {
    logger.info('This service has no database.');
    return;
  }
  const connection = await connected(
    { uri: settings.MONGODB_URI, database: databaseOf(name, settings.MONGODB_DATABASE_PREFIX) },
    logger,
  );
  try {
    await requireNoRestore(connection);
    await migrate(connection, allIndexes(indexes, settings.REFUSED_RETENTION_DAYS));
  } finally {
    await connection.close();
  }
  logger.info('Collections and indexes are there.');
}

async function connected(target: Parameters<typeof connectMongo>[0], logger: Logger): Promise<Connection> {
  const connect = async (): Promise<Connection> => {
    const connection = await connectMongo(target);
    try {
      await requireReplicaSet(connection);
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  };
  return retry(connect, {
    onFailure: (error) => {
      logger.warn({ err: error }, 'MongoDB cannot be used yet.');
    },
  });
}

/** Waits for Kafka without a limit. @throws AccessRefusedError. */
async function prepareTopics(settings: z.output<typeof TopicSettings>, _: Prepared, logger: Logger): Promise<void> {
  const ensure = () =>
    ensureTopics({
      brokers: settings.KAFKA_BROKERS,
      prefix: settings.KAFKA_TOPIC_PREFIX,
      security: settings.KAFKA,
      topics: ALL_TOPICS,
      partitions: settings.KAFKA_TOPIC_PARTITIONS,
      replication: settings.KAFKA_TOPIC_REPLICATION,
      logger,
    });
  await retry(ensure, {
    onFailure: (error) => {
      if (error instanceof AccessRefusedError) throw error;
      logger.warn({ err: error }, 'Kafka does not make the topics yet.');
    },
  });
  logger.info('All topics are there.');
}
