import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  adminCommand,
  freePort,
  initiateMembers,
  obtainFaketime,
  obtainKafka,
  obtainMongod,
  primaryAmong,
  startKafkaBroker,
  startKafkaBrokers,
  startMongod,
  type KafkaBroker,
  type Mongod,
} from './local-stack/index.ts';
import { testDataFolder } from './test-data.ts';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

/** A broker that belongs to one test, which may break it. */
export interface OwnKafka extends Pick<
  KafkaBroker,
  'pid' | 'port' | 'nodeId' | 'brokers' | 'kill' | 'pause' | 'resume' | 'restart'
> {
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

/** A replica set of one that belongs to one test, which may break it. */
export interface OwnMongo extends Pick<Mongod, 'pid' | 'port' | 'uri' | 'kill' | 'pause' | 'resume' | 'restart'> {
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

/**
 * Starts a real broker on a free port and an empty folder. It ends with this process at the latest.
 *
 * Clients are sent to `advertisedPort`, so that a `KafkaProxy` can be between.
 */
export async function startKafka(
  options: { port?: number; advertisedPort?: number; settings?: Readonly<Record<string, string>> } = {},
): Promise<OwnKafka> {
  const jars = await obtainKafka(downloads(), say);
  const dataDir = await testDataFolder('tocsin-kafka-');
  const broker = await startKafkaBroker({ ...options, jars, dataDir, port: options.port ?? (await freePort()) });
  return owned(broker, dataDir);
}

/** Three brokers for one test, which may kill or pause them. */
export interface OwnKafkaCluster {
  /** `host:port` of each broker. */
  readonly brokers: readonly string[];
  /** @throws Error when there is no such node. */
  node(id: number): OwnKafka;
  /** Stops all brokers and removes their data. */
  stop(): Promise<void>;
}

/**
 * Starts a real cluster of three brokers on free ports and in empty folders: three replicas of each topic, of which a write needs
 * two. It ends with this process at the latest.
 */
export async function startKafkaCluster(): Promise<OwnKafkaCluster> {
  const jars = await obtainKafka(downloads(), say);
  const plan = async () => ({
    jars,
    dataDir: await testDataFolder('tocsin-kafka-'),
    port: await freePort(),
  });
  const plans = [await plan(), await plan(), await plan()] as const;
  const nodes = (await startKafkaBrokers(plans)).map((broker, index) => owned(broker, plans[index]?.dataDir ?? ''));
  return {
    brokers: nodes.map(({ brokers }) => brokers),
    node: (id) => {
      const node = nodes.find(({ nodeId }) => nodeId === id);
      if (node === undefined) throw new Error(`There is no node ${id}.`);
      return node;
    },
    stop: async () => {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}

/** Starts a real one-node replica set on a free port and an empty folder. It ends with this process at the latest. */
export async function startMongo(
  options: { port?: number; parameters?: Readonly<Record<string, string>> } = {},
): Promise<OwnMongo> {
  const binary = await obtainMongod(downloads(), say);
  const dataDir = await testDataFolder('tocsin-mongo-');
  const mongod = await startMongod({ ...options, binary, dataDir, port: options.port ?? (await freePort()) });
  return owned(mongod, dataDir);
}

/** A replica set of several members that belongs to one test, which may break it. */
export interface OwnReplicaSet {
  /** The connection string, with all members. */
  readonly uri: string;
  readonly members: readonly OwnMongo[];
  /** The index of the member that is the primary now; undefined where none is. */
  primary(): Promise<number | undefined>;
  /** Forces the primary to step down, as after a partition of the network: it ends its connections and aborts running operations. */
  stepDown(): Promise<void>;
  /** Resolves when this member is the primary. */
  stepUp(member: number): Promise<void>;
  /** Stops all members and removes their data. */
  stop(): Promise<void>;
}

/**
 * Starts a real replica set on free ports and in empty folders. It ends with this process at the latest.
 *
 * `clocksAheadMs` has how far the wall clock of each member is ahead; 0 by default.
 */
export async function startReplicaSet(options: {
  members: number;
  clocksAheadMs?: readonly number[];
}): Promise<OwnReplicaSet> {
  const binary = await obtainMongod(downloads(), say);
  const members = await Promise.all(
    Array.from({ length: options.members }, async (_, index) => {
      const dataDir = await testDataFolder('tocsin-mongo-');
      const environment = await clockAhead(options.clocksAheadMs?.[index] ?? 0);
      // Flow control compares wall clocks to find members that are behind, and would slow writes down where one clock is ahead.
      const parameters = { enableFlowControl: 'false' };
      const plan = {
        binary,
        dataDir,
        port: await freePort(),
        parameters,
        environment,
        initiate: () => Promise.resolve(),
      };
      return owned(await startMongod(plan), dataDir);
    }),
  );
  const ports = members.map(({ port }) => port);
  await initiateMembers(ports);
  const primary = async (): Promise<number | undefined> => {
    const port = await primaryAmong(ports);
    return port === undefined ? undefined : ports.indexOf(port);
  };
  return {
    uri: `mongodb://${ports.map((port) => `127.0.0.1:${port}`).join()}/?replicaSet=rs0`,
    members,
    primary,
    stepDown: async () => {
      const port = await primaryAmong(ports);
      // Its answer is lost with the connection.
      if (port !== undefined) await adminCommand(port, { replSetStepDown: 3, force: true }).catch(() => undefined);
    },
    stepUp: async (member) => {
      const others = ports.filter((_, index) => index !== member);
      // The others are frozen, so that this one is elected as soon as it has caught up. `replSetStepUp` would end the term of the
      // primary each time, also where the member is not elected.
      const freeze = (seconds: number) =>
        Promise.all(others.map((port) => adminCommand(port, { replSetFreeze: seconds }).catch(() => undefined)));
      while ((await primary()) !== member) {
        await freeze(30);
        const port = await primaryAmong(others);
        if (port !== undefined) await adminCommand(port, { replSetStepDown: 30, force: true }).catch(() => undefined);
        for (let looks = 0; looks < 100 && (await primary()) === undefined; looks += 1) await pause(200);
      }
      await freeze(0);
    },
    stop: async () => {
      await Promise.all(members.map((member) => member.stop()));
    },
  };
}

/** The environment of a process whose wall clock is ahead. */
async function clockAhead(byMs: number): Promise<Readonly<Record<string, string>>> {
  if (byMs === 0) return {};
  const library = await obtainFaketime(downloads(), say);
  return { LD_PRELOAD: library, FAKETIME: `+${String(byMs / 1_000)}s`, DONT_FAKE_MONOTONIC: '1' };
}

/** The server itself, with a `stop` that also removes its data. */
function owned<T extends KafkaBroker | Mongod>(server: T, dataDir: string): T {
  const end = server.stop.bind(server);
  const stop = async (): Promise<void> => {
    await end();
    await rm(dataDir, { recursive: true, force: true });
  };
  return Object.assign(server, { stop });
}

/** The folder of the parts that tests download. */
export function downloads(): string {
  const data = process.env['TOCSIN_DATA'] ?? path.join(REPOSITORY, '.tocsin');
  return process.env['TOCSIN_DOWNLOADS'] ?? path.join(data, 'downloads');
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
