import { ALL_TOPICS, SERVICES, type ServiceName } from '@tocsin/events';
import { dropDatabases, freePort, testKafka, testMongo, type TestKafka, type TestMongo } from '@tocsin/testkit';
import { ensureTopics } from '@tocsin/kafka';
import { API_KEY } from './api.ts';
import { Published } from './published.ts';
import { Stored } from './stored.ts';

/** The settings of the services of one installation; each has ports of its own on 127.0.0.1. */
export interface Installation {
  readonly gatewayUrl: string;
  readonly published: Published;
  readonly stored: Stored;
  environmentOf(service: ServiceName): Readonly<Record<string, string>>;
  /** Drops its databases, once its services have stopped. */
  remove(): Promise<void>;
}

/** Where an installation finds Kafka and MongoDB, and the names that are its own there. */
export interface Engines {
  readonly kafka: TestKafka;
  readonly mongo: Pick<TestMongo, 'uri' | 'databasePrefix'>;
}

const sharedEngines = async (): Promise<Engines> => ({ kafka: await testKafka(), mongo: await testMongo() });

/** Makes topics and picks ports for an installation of its own, on the engines of the test run unless others are given. */
export async function newInstallation(smtpUrl: string, logLevel: string, engines?: Engines): Promise<Installation> {
  const { kafka, mongo } = engines ?? (await sharedEngines());
  const { brokers, topicPrefix } = kafka;
  // Replicas as the brokers have them by default: one of each partition on a single broker, three on three.
  await ensureTopics({ brokers, prefix: topicPrefix, topics: ALL_TOPICS, partitions: 2, replication: -1 });
  const ports = new Map<ServiceName, { readonly port: number; readonly adminPort: number }>();
  for (const service of SERVICES) ports.set(service, { port: await freePort(), adminPort: await freePort() });
  const portOf = (service: ServiceName) => String(ports.get(service)?.port);
  const urls = Object.fromEntries(
    SERVICES.map((service) => [
      `${service.replaceAll('-', '_').toUpperCase()}_URL`,
      `http://127.0.0.1:${portOf(service)}`,
    ]),
  );
  const shared = {
    ...urls,
    HOST: '127.0.0.1',
    LOG_LEVEL: logLevel,
    STOP_WAIT_MS: '0',
    KAFKA_BROKERS: brokers.join(','),
    KAFKA_TOPIC_PREFIX: topicPrefix,
    MONGODB_URI: mongo.uri,
    MONGODB_DATABASE_PREFIX: mongo.databasePrefix,
    INTERNAL_SIGNING_KEY: 'a signing key of an acceptance test of 32 characters or more',
    BOOTSTRAP_API_KEY: API_KEY,
    SMTP_URL: smtpUrl,
    // Each page is a message that can be counted; the test of storms has limits of its own.
    BUNDLE_LIMITS: 'off',
    IMPORT: 'on',
  };
  return {
    published: new Published(kafka),
    stored: new Stored(mongo),
    gatewayUrl: `http://127.0.0.1:${portOf('gateway')}`,
    remove: () => dropDatabases(mongo),
    environmentOf: (service) => ({
      ...shared,
      PORT: portOf(service),
      ADMIN_PORT: String(ports.get(service)?.adminPort),
    }),
  };
}
