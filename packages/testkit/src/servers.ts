import { mkdir, rm } from 'node:fs/promises';
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
  type ServerPlace,
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

/** Where one node of a cluster or a member of a set runs, and where it keeps its data: by default a new folder. */
export interface NodePlace extends ServerPlace {
  /** Made where it is missing, and removed at the end. */
  readonly dataDir?: string | undefined;
}

/**
 * Starts a real cluster of three brokers on free ports and in empty folders, by default on 127.0.0.1: three replicas of each topic,
 * of which a write needs two. It ends with this process at the latest.
 */
export async function startKafkaCluster(
  places: readonly [NodePlace, NodePlace, NodePlace] = [{}, {}, {}],
): Promise<OwnKafkaCluster> {
  const jars = await obtainKafka(downloads(), say);
  const plan = async (place: NodePlace) => ({ ...place, jars, ...(await ownPlace('tocsin-kafka-', place)) });
  const plans = [await plan(places[0]), await plan(places[1]), await plan(places[2])] as const;
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

async function ownPlace(name: string, { dataDir }: NodePlace): Promise<{ dataDir: string; port: number }> {
  if (dataDir !== undefined) await mkdir(dataDir, { recursive: true });
  return { dataDir: dataDir ?? (await testDataFolder(name)), port: await freePort() };
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
  /** Whether one member is the primary and all others follow it. */
  isWhole(): Promise<boolean>;
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
 * `clocksAheadMs` has how far the wall clock of each member is ahead; 0 by default. `places` has the place of each; 127.0.0.1 by
 * default.
 */
export async function startReplicaSet(options: {
  members: number;
  clocksAheadMs?: readonly number[];
  places?: readonly NodePlace[];
}): Promise<OwnReplicaSet> {
  const binary = await obtainMongod(downloads(), say);
  const plans = await Promise.all(
    Array.from({ length: options.members }, async (_, index) => {
      const place = options.places?.[index] ?? {};
      const environment = await clockAhead(options.clocksAheadMs?.[index] ?? 0);
      // Flow control compares wall clocks to find members that are behind, and would slow writes down where one clock is ahead.
      const parameters = { enableFlowControl: 'false' };
      const own = await ownPlace('tocsin-mongo-', place);
      return { ...place, ...own, binary, parameters, environment, initiate: () => Promise.resolve() };
    }),
  );
  const members = await Promise.all(plans.map(async (plan) => owned(await startMongod(plan), plan.dataDir)));
  const addresses = plans.map(({ host = '127.0.0.1', port }) => `${host}:${port}`);
  await initiateMembers(addresses);
  const primary = async (): Promise<number | undefined> => {
    const address = await primaryAmong(addresses);
    return address === undefined ? undefined : addresses.indexOf(address);
  };
  return {
    uri: `mongodb://${addresses.join()}/?replicaSet=rs0`,
    members,
    primary,
    isWhole: async () => {
      const address = await primaryAmong(addresses);
      return address !== undefined && (await allFollow(address).catch(() => false));
    },
    stepDown: async () => {
      const address = await primaryAmong(addresses);
      // Its answer is lost with the connection.
      if (address !== undefined)
        await adminCommand(address, { replSetStepDown: 3, force: true }).catch(() => undefined);
    },
    stepUp: (member) => stepUp(addresses, member, primary),
    stop: async () => {
      await Promise.all(members.map((member) => member.stop()));
    },
  };
}

const SECONDARY = 2;

async function allFollow(primary: string): Promise<boolean> {
  const { members } = await adminCommand(primary, { replSetGetStatus: 1 });
  const states = (members as readonly { readonly state: number }[]).map(({ state }) => state);
  return states.filter((state) => state === SECONDARY).length === states.length - 1;
}

async function stepUp(
  addresses: readonly string[],
  member: number,
  primary: () => Promise<number | undefined>,
): Promise<void> {
  const others = addresses.filter((_, index) => index !== member);
  // The others are frozen, so that this one is elected as soon as it has caught up. `replSetStepUp` would end the term of the
  // primary each time, also where the member is not elected.
  const freeze = (seconds: number) =>
    Promise.all(others.map((address) => adminCommand(address, { replSetFreeze: seconds }).catch(() => undefined)));
  while ((await primary()) !== member) {
    await freeze(30);
    const address = await primaryAmong(others);
    if (address !== undefined) await adminCommand(address, { replSetStepDown: 30, force: true }).catch(() => undefined);
    for (let looks = 0; looks < 100 && (await primary()) === undefined; looks += 1) await pause(200);
  }
  await freeze(0);
}

/** The environment of a process whose wall clock is ahead by so many milliseconds; one that does not differ has none. */
export async function clockAhead(byMs: number): Promise<Readonly<Record<string, string>>> {
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
