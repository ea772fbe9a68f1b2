import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collectionOf, connectMongo, RESTORES, type Connection, type RestoreMarker } from '@tocsin/mongo';
import { eventually, freePort, processEnvironment, startMongo, testKafka, testMongo } from '@tocsin/testkit';

const FIXTURE = fileURLToPath(new URL('./testing/prepared-service.ts', import.meta.url));
const WAITING = fileURLToPath(new URL('./testing/waiting-service.ts', import.meta.url));

type Environment = Readonly<Record<string, string>>;

let mongo: { readonly uri: string };
let kafka: { readonly brokers: readonly string[] };
beforeAll(async () => {
  [mongo, kafka] = await Promise.all([testMongo(), testKafka()]);
});

const started = (environment: Environment, ...args: readonly string[]) => startedFrom(FIXTURE, environment, ...args);

function startedFrom(script: string, environment: Environment, ...args: readonly string[]) {
  const child = spawn(process.execPath, ['--conditions=source', script, ...args], {
    env: processEnvironment({ KAFKAJS_NO_PARTITIONER_WARNING: '1', ...environment }),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, said }));
  return { child, ended, said: () => said };
}

/** Runs the process to its end. */
const ran = (environment: Environment, ...args: readonly string[]) => started(environment, ...args).ended;

const opened: Connection[] = [];
afterAll(async () => {
  for (const connection of opened) {
    await connection.dropDatabase();
    await connection.close();
  }
});

/** An empty database of the service `directory`, and the settings that lead to it. */
async function database(): Promise<{ readonly environment: Environment; readonly connection: Connection }> {
  const prefix = `p${randomUUID().slice(0, 8)}_`;
  const connection = await connectMongo({ uri: mongo.uri, database: `${prefix}directory` });
  opened.push(connection);
  return { environment: { MONGODB_URI: mongo.uri, MONGODB_DATABASE_PREFIX: prefix }, connection };
}

describe('a service with the command to prepare its database', () => {
  it('makes collections and indexes and ends well, at several processes at once and again', async () => {
    const { environment, connection } = await database();
    const runs = await Promise.all([1, 2, 3].map(() => ran(environment, 'prepare-database')));
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await ran(environment, 'prepare-database')).toMatchObject({ code: 0 });
    const indexes = await collectionOf(connection, 'people').indexes();
    expect(indexes.map(({ key }) => key as unknown)).toEqual([{ _id: 1 }, { name: 1 }]);
  });

  it('waits for a MongoDB that is unavailable, for as long as it may, and says why it did not come to an end', async () => {
    const unavailable = { MONGODB_URI: `mongodb://127.0.0.1:${await freePort()}`, PREPARE_WITHIN_SECONDS: '10' };
    const { code, said } = await ran(unavailable, 'prepare-database');
    expect(code).toBe(1);
    expect(said).toContain('MongoDB cannot be used yet.');
    expect(said).toContain('within 10 s (PREPARE_WITHIN_SECONDS)');
  });

  it('goes on once the MongoDB comes that it waited for', async () => {
    const own = await startMongo();
    try {
      await own.pause();
      const run = started({ MONGODB_URI: own.uri }, 'prepare-database');
      await eventually(() => {
        expect(run.said()).toContain('MongoDB cannot be used yet.');
      });
      own.resume();
      expect(await run.ended).toMatchObject({ code: 0 });
    } finally {
      own.resume();
      await own.stop();
    }
  });

  it('names every setting that is wrong, and shows no password', async () => {
    const { code, said } = await ran(
      { MONGODB_URI: 'http://ada:secret@db', PREPARE_WITHIN_SECONDS: '0' },
      'prepare-database',
    );
    expect(code).toBe(1);
    expect(said).toContain('MONGODB_URI: ');
    expect(said).toContain('PREPARE_WITHIN_SECONDS: ');
    expect(said).not.toContain('secret@');
  });
});

describe('a service with the command to prepare the topics', () => {
  it('makes all of them with the partitions that are set, and needs no database', async () => {
    const settings = {
      KAFKA_BROKERS: kafka.brokers.join(),
      KAFKA_TOPIC_PREFIX: `p${randomUUID().slice(0, 8)}-`,
      KAFKA_TOPIC_PARTITIONS: '2',
    };
    const runs = await Promise.all([1, 2].map(() => ran(settings, 'prepare-topics')));
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    expect(await ran(settings, 'prepare-topics')).toMatchObject({ code: 0 });
  });

  it('refuses settings out of bounds', async () => {
    const { code, said } = await ran({ KAFKA_BROKERS: 'x:1', KAFKA_TOPIC_PARTITIONS: '0' }, 'prepare-topics');
    expect(code).toBe(1);
    expect(said).toContain('KAFKA_TOPIC_PARTITIONS: ');
  });
});

describe('a service that only verifies its database', () => {
  it('starts once its database is prepared, and creates nothing itself', async () => {
    const { environment, connection } = await database();
    const service = started({
      ...environment,
      KAFKA_BROKERS: '127.0.0.1:1',
      INTERNAL_SIGNING_KEY: 'k'.repeat(32),
      DATABASE_SETUP: 'verify',
      ADMIN_PORT: '0',
    });
    await eventually(() => {
      expect(service.said()).toContain('Collections and indexes are missing: ');
    });
    expect((await connection.listCollections()).map(({ name }) => name)).toEqual([]);
    expect(service.said()).not.toContain('"msg":"ready"');
    expect(await ran(environment, 'prepare-database')).toMatchObject({ code: 0 });
    await eventually(() => {
      expect(service.said()).toContain('"msg":"ready"');
    });
    service.child.kill('SIGTERM');
    expect(await service.ended).toMatchObject({ code: 0 });
  });

  it('ends in order while it waits', async () => {
    const { environment } = await database();
    const service = started({
      ...environment,
      KAFKA_BROKERS: '127.0.0.1:1',
      INTERNAL_SIGNING_KEY: 'k'.repeat(32),
      DATABASE_SETUP: 'verify',
      ADMIN_PORT: '0',
    });
    await eventually(() => {
      expect(service.said()).toContain('Collections and indexes are missing');
    });
    service.child.kill('SIGTERM');
    expect(await service.ended).toMatchObject({ code: 0 });
  });
});

const newMarker = (): RestoreMarker => {
  const now = new Date();
  return { _id: 'running', backup: 'monday', startedAt: now, run: randomUUID(), aliveAt: now };
};

describe('a service whose database is restored', () => {
  it('makes nothing there and waits until the restore has ended', async () => {
    const { environment, connection } = await database();
    const markers = collectionOf<RestoreMarker>(connection, RESTORES);
    await markers.insertOne(newMarker());
    const refused = await ran(environment, 'prepare-database');
    expect(refused).toMatchObject({
      code: 1,
      said: expect.stringContaining('The restore of backup monday has not ended'),
    });
    const service = started({
      ...environment,
      KAFKA_BROKERS: '127.0.0.1:1',
      INTERNAL_SIGNING_KEY: 'k'.repeat(32),
      ADMIN_PORT: '0',
    });
    await eventually(() => {
      expect(service.said()).toContain('The restore of backup monday has not ended');
    });
    expect(service.said()).not.toContain('"msg":"ready"');
    expect((await connection.listCollections()).map(({ name }) => name)).toEqual([RESTORES]);
    await markers.deleteOne({ _id: 'running' });
    await eventually(() => {
      expect(service.said()).toContain('"msg":"ready"');
    });
    service.child.kill('SIGTERM');
    expect(await service.ended).toMatchObject({ code: 0 });
  });

  it('ends where the restore has begun since it opened its database', async () => {
    const { environment, connection } = await database();
    const settings = { KAFKA_BROKERS: '127.0.0.1:1', INTERNAL_SIGNING_KEY: 'k'.repeat(32), ADMIN_PORT: '0' };
    const service = startedFrom(WAITING, { ...environment, ...settings });
    await eventually(() => {
      expect(service.said()).toContain('the database is opened');
    });
    await collectionOf<RestoreMarker>(connection, RESTORES).insertOne(newMarker());
    service.child.stdin.write('go on\n');
    expect(await service.ended).toMatchObject({
      code: 1,
      said: expect.stringContaining('The restore of backup monday has not ended'),
    });
  });
});

describe('a service with an unknown command', () => {
  it('ends with what it can do, instead of serving', async () => {
    const { code, said } = await ran({}, 'prepare');
    expect(code).toBe(1);
    expect(said).toContain('prepare-database and prepare-topics');
  });
});
