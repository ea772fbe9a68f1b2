import { testKafka, testMongo, type TestKafka, type TestMongo } from './shared-servers.ts';

/** The secret that the services of integration tests share. */
export const SIGNING_KEY = 'a-secret-of-integration-tests-only';

/** The shared servers, and the variables for a service that uses them. */
export interface ServiceEnvironment extends TestKafka, Pick<TestMongo, 'uri' | 'databasePrefix'> {
  readonly environment: Readonly<Record<string, string>>;
}

/** Gives a service topics and databases of its own on the shared servers, and free ports. */
export async function serviceEnvironment(): Promise<ServiceEnvironment> {
  const [{ brokers, topicPrefix }, { uri, databasePrefix }] = await Promise.all([testKafka(), testMongo()]);
  const environment = {
    KAFKA_BROKERS: brokers.join(','),
    KAFKA_TOPIC_PREFIX: topicPrefix,
    MONGODB_URI: uri,
    MONGODB_DATABASE_PREFIX: databasePrefix,
    INTERNAL_SIGNING_KEY: SIGNING_KEY,
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_PORT: '0',
    LOG_LEVEL: 'error',
    STOP_WAIT_MS: '0',
  };
  return { brokers, topicPrefix, uri, databasePrefix, environment };
}
