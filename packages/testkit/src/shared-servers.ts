import { randomBytes } from 'node:crypto';
import type * as Databases from './drop-databases.ts';
import { startKafka, startMongo, type OwnKafka, type OwnMongo } from './servers.ts';

/** Kafka for a test file, with topics and groups of its own by `topicPrefix`. */
export interface TestKafka {
  readonly brokers: readonly string[];
  readonly topicPrefix: string;
}

/** MongoDB for a test file, with databases of its own by `databasePrefix`. */
export interface TestMongo {
  readonly uri: string;
  readonly databasePrefix: string;
  /** A database name under the prefix that no other test uses. */
  readonly database: string;
}

interface ServersEnvironment {
  /** Called after the last hook of a file. */
  readonly endsWithFile?: (() => Promise<void>)[];
  readonly importOnce: (url: string) => Promise<typeof Databases>;
}

// The jest environment of tests on servers; benches import this without jest.
const { endsWithFile, importOnce } = globalThis as unknown as ServersEnvironment;

let kafka: Promise<OwnKafka> | undefined;
let mongo: Promise<OwnMongo> | undefined;

/** Gives the Kafka of `KAFKA_BROKERS`, or one that is started for this test file and ends with it. */
export async function testKafka(): Promise<TestKafka> {
  const given = process.env['KAFKA_BROKERS'];
  const brokers = given ?? (await (kafka ??= startKafka())).brokers;
  return { brokers: brokers.split(','), topicPrefix: `t${suffix()}.` };
}

/**
 * Gives the MongoDB of `MONGODB_URI`, or one that is started for this test file and ends with it. Databases of the file are dropped after it;
 * a module that Node loads once for all files drops its own.
 */
export async function testMongo(): Promise<TestMongo> {
  const given = process.env['MONGODB_URI'];
  const uri = given ?? (await (mongo ??= startMongo())).uri;
  const databasePrefix = `t${suffix()}_`;
  if (given !== undefined)
    endsWithFile?.push(async () => {
      // The modules of the file have ended by then.
      const { dropDatabases } = await importOnce(new URL('drop-databases.ts', import.meta.url).href);
      await dropDatabases({ uri, databasePrefix });
    });
  return { uri, databasePrefix, database: `${databasePrefix}test` };
}

async function stopShared(): Promise<void> {
  const started = [kafka, mongo];
  [kafka, mongo] = [undefined, undefined];
  await Promise.all(started.map(async (server) => (await server)?.stop()));
}

function suffix(): string {
  return randomBytes(4).toString('hex');
}

endsWithFile?.push(stopShared);
