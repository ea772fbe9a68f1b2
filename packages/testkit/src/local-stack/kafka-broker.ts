import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { engineEnvironment } from './engine-environment.ts';
import { LocalServer, type ServerPlace } from './local-server.ts';
import { freePort } from './ports.ts';
import { ServerProcess } from './server-process.ts';

/** Where a broker finds its jars, keeps its data and listens. */
export interface KafkaPlan extends ServerPlace {
  /** The folder that `obtainKafka` filled. */
  readonly jars: string;
  readonly dataDir: string;
  readonly port: number;
  /** The advertised port, for a proxy in between; `port` by default. */
  readonly advertisedPort?: number;
  /** Overrides of our broker settings, by their names in server.properties. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Where to write the class archive at a clean shutdown; none by default. */
  readonly archiveTo?: string;
}

/** The place of one node in its cluster. */
export interface KafkaNode {
  /** From 1. */
  readonly id: number;
  readonly clusterId: string;
  /** `host:port` of the controller of each node, that of node 1 first. */
  readonly controllers: readonly string[];
}

/** A real KRaft broker on this machine, which is a controller too. */
export class KafkaBroker extends LocalServer {
  readonly nodeId: number;
  readonly #plan: KafkaPlan;

  constructor(plan: KafkaPlan, node: KafkaNode) {
    const logFile = path.join(plan.dataDir, 'kafka.log');
    super({ name: 'Kafka', port: plan.port, host: plan.host, logFile, spawn: () => spawn(plan, node, logFile) });
    this.nodeId = node.id;
    this.#plan = plan;
  }

  /** `host:port` for clients. */
  get brokers(): string {
    return `${hostOf(this.#plan)}:${this.#plan.advertisedPort ?? this.port}`;
  }
}

const hostOf = ({ host = '127.0.0.1' }: ServerPlace): string => host;

function spawn(plan: KafkaPlan, node: KafkaNode, logFile: string): ServerProcess {
  const { jars, dataDir, within = [] } = plan;
  writeMetaProperties(path.join(dataDir, 'logs'), node);
  const settings = path.join(dataDir, 'server.properties');
  fs.writeFileSync(settings, serverProperties(plan, node));
  const java = ['java', ...JVM_FLAGS, ...archiveFlags(plan), '-cp', classPath(jars), 'kafka.Kafka', settings];
  const [command = '', ...args] = [...within, ...java];
  return new ServerProcess({
    command,
    args,
    logFile,
    // Fewer malloc arenas for its ninety threads.
    env: engineEnvironment({ MALLOC_ARENA_MAX: '2' }),
  });
}

/**
 * Starts a real broker and resolves when its port is open.
 *
 * @throws Error when it ends before that; the message names its log file.
 */
export async function startKafkaBroker(plan: KafkaPlan): Promise<KafkaBroker> {
  const [broker] = await startKafkaBrokers([plan]);
  return broker;
}

/**
 * Starts a real cluster with one broker for each plan and resolves when all ports are open. With three or more brokers, topics
 * have three replicas by default and a write needs two of them, so that the cluster works without one of its brokers.
 *
 * @throws Error when a broker ends before its port is open; the message names its log file. It stops the other brokers.
 */
export async function startKafkaBrokers<const Plans extends readonly [KafkaPlan, ...KafkaPlan[]]>(
  plans: Plans,
): Promise<{ readonly [Index in keyof Plans]: KafkaBroker }> {
  const clusterId = randomId();
  const controllers = await Promise.all(plans.map(async (plan) => `${hostOf(plan)}:${await freePort()}`));
  const brokers = plans.map((plan, index) => new KafkaBroker(plan, { id: index + 1, clusterId, controllers }));
  try {
    await Promise.all(brokers.map((broker) => broker.ready()));
  } catch (error) {
    await Promise.all(brokers.map((broker) => broker.stop()));
    throw error;
  }
  return brokers as { readonly [Index in keyof Plans]: KafkaBroker };
}

/** A small heap that returns unused memory, and a quick start rather than fast code. */
const JVM_FLAGS = [
  ...['-Xmx384m', '-Xms32m', '-XX:MinHeapFreeRatio=10', '-XX:MaxHeapFreeRatio=30', '-XX:+UseSerialGC'],
  ...['-XX:TieredStopAtLevel=1', '-XX:ReservedCodeCacheSize=48m', '-Xshare:auto'],
  // Maps the class archive at its requested address. Otherwise all of it, 40 MB, would be relocated in memory.
  ...['-XX:+UnlockDiagnosticVMOptions', '-XX:ArchiveRelocationMode=0'],
];

function archiveFlags({ jars, archiveTo }: KafkaPlan): string[] {
  if (archiveTo !== undefined) return [`-XX:ArchiveClassesAtExit=${archiveTo}`];
  return fs.existsSync(classArchive(jars)) ? [`-XX:SharedArchiveFile=${classArchive(jars)}`] : [];
}

/** Sorted, because the class archive fits only the same jars in the same order. */
function classPath(jars: string): string {
  const names = fs.readdirSync(jars).filter((name) => name.endsWith('.jar'));
  return names
    .sort()
    .map((name) => path.join(jars, name))
    .join(':');
}

/** The class archive (CDS) for these jars, which halves the start: 0.7 s instead of 1.5 s. */
export function classArchive(jars: string): string {
  return path.join(path.dirname(jars), 'classes.jsa');
}

/** The same files as those of `kafka-storage format`. The broker chooses the newest metadata version by itself. */
function writeMetaProperties(logs: string, node: KafkaNode): void {
  const file = path.join(logs, 'meta.properties');
  if (fs.existsSync(file)) return;
  fs.mkdirSync(logs, { recursive: true });
  const { id, clusterId } = node;
  fs.writeFileSync(file, `version=1\ncluster.id=${clusterId}\nnode.id=${id}\ndirectory.id=${randomId()}\n`);
}

function randomId(): string {
  return randomBytes(16).toString('base64url');
}

/** The broker's settings: little memory, and a quick start, also after a crash. */
export function serverProperties(plan: KafkaPlan, { id, controllers }: KafkaNode): string {
  const host = hostOf(plan);
  const replicas = String(Math.min(3, controllers.length));
  const inSync = replicas === '3' ? '2' : '1';
  const settings: Record<string, string> = {
    'process.roles': 'broker,controller',
    'node.id': String(id),
    'controller.quorum.voters': controllers.map((controller, index) => `${index + 1}@${controller}`).join(),
    listeners: `PLAINTEXT://${host}:${plan.port},CONTROLLER://${controllers[id - 1] ?? ''}`,
    'advertised.listeners': `PLAINTEXT://${host}:${plan.advertisedPort ?? plan.port}`,
    'controller.listener.names': 'CONTROLLER',
    'log.dirs': path.join(plan.dataDir, 'logs'),
    'auto.create.topics.enable': 'false',
    'default.replication.factor': replicas,
    'min.insync.replicas': inSync,
    'offsets.topic.replication.factor': replicas,
    'offsets.topic.num.partitions': '1',
    'offsets.retention.minutes': String(90 * 24 * 60),
    'transaction.state.log.replication.factor': replicas,
    'transaction.state.log.min.isr': inSync,
    'transaction.state.log.num.partitions': '1',
    'share.coordinator.state.topic.replication.factor': replicas,
    'share.coordinator.state.topic.min.isr': inSync,
    'group.initial.rebalance.delay.ms': '0',
    'log.cleaner.dedupe.buffer.size': '4194304',
    'num.network.threads': '2',
    'num.io.threads': '4',
    'num.recovery.threads.per.data.dir': '1',
    // The controller keeps a crashed broker's registration this long; the default of 9 s makes every restart slow.
    'broker.session.timeout.ms': '2000',
    'broker.heartbeat.interval.ms': '500',
    // How often an idle controller writes a no-op record; each write is an fsync.
    'metadata.max.idle.interval.ms': '5000',
    ...plan.settings,
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
