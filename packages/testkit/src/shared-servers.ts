import { randomBytes } from 'node:crypto';
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

let kafka: Promise<OwnKafka> | undefined;
let mongo: Promise<OwnMongo> | undefined;

/** Gives the Kafka of `KAFKA_BROKERS`, or one that is started for this test file and ends with it. */
export async function testKafka(): Promise<TestKafka> {
  const given = process.env['KAFKA_BROKERS'];
  const brokers = given ?? (await (kafka ??= startKafka())).brokers;
  return { brokers: brokers.split(','), topicPrefix: `t${suffix()}.` };
}

/** Gives the MongoDB of `MONGODB_URI`, or one that is started for this test file and ends with it. */
export async function testMongo(): Promise<TestMongo> {
  const given = process.env['MONGODB_URI'];
  const uri = given ?? (await (mongo ??= startMongo())).uri;
  const databasePrefix = `t${suffix()}_`;
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

// The jest environment of tests on servers ends these after the last hook of a file; benches import this without jest.
const { endsWithFile } = globalThis as { endsWithFile?: (() => Promise<void>)[] };
endsWithFile?.push(stopShared);
