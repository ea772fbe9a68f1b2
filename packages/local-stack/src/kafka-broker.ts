import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { engineEnvironment } from './engine-environment.ts';
import { LocalServer } from './local-server.ts';
import { freePort } from './ports.ts';
import { ServerProcess } from './server-process.ts';

/** Where a broker finds its jars, keeps its data and listens. */
export interface KafkaPlan {
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

/** A real one-node KRaft broker on 127.0.0.1. */
export class KafkaBroker extends LocalServer {
  readonly #plan: KafkaPlan;

  constructor(plan: KafkaPlan, controllerPort: number) {
    const logFile = path.join(plan.dataDir, 'kafka.log');
    super({ name: 'Kafka', port: plan.port, logFile, spawn: () => spawn(plan, controllerPort, logFile) });
    this.#plan = plan;
  }

  /** `host:port` for clients. */
  get brokers(): string {
    return `127.0.0.1:${this.#plan.advertisedPort ?? this.port}`;
  }
}

function spawn(plan: KafkaPlan, controllerPort: number, logFile: string): ServerProcess {
  const { jars, dataDir } = plan;
  writeMetaProperties(path.join(dataDir, 'logs'));
  const settings = path.join(dataDir, 'server.properties');
  fs.writeFileSync(settings, serverProperties(plan, controllerPort));
  return new ServerProcess({
    command: 'java',
    args: [...JVM_FLAGS, ...archiveFlags(plan), '-cp', classPath(jars), 'kafka.Kafka', settings],
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
export async function startKafka(plan: KafkaPlan): Promise<KafkaBroker> {
  const broker = new KafkaBroker(plan, await freePort());
  await broker.ready();
  return broker;
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

/** What `kafka-storage format` would write; the broker chooses the newest metadata version by itself. */
function writeMetaProperties(logs: string): void {
  const file = path.join(logs, 'meta.properties');
  if (fs.existsSync(file)) return;
  fs.mkdirSync(logs, { recursive: true });
  const id = (): string => randomBytes(16).toString('base64url');
  fs.writeFileSync(file, `version=1\ncluster.id=${id()}\nnode.id=1\ndirectory.id=${id()}\n`);
}

/** The broker's settings: one node, small, quick to start and to come back after a crash. */
export function serverProperties(plan: KafkaPlan, controllerPort: number): string {
  const settings: Record<string, string> = {
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    listeners: `PLAINTEXT://127.0.0.1:${plan.port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${plan.advertisedPort ?? plan.port}`,
    'controller.listener.names': 'CONTROLLER',
    'log.dirs': path.join(plan.dataDir, 'logs'),
    'auto.create.topics.enable': 'false',
    'offsets.topic.replication.factor': '1',
    'offsets.topic.num.partitions': '1',
    'offsets.retention.minutes': String(90 * 24 * 60),
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'transaction.state.log.num.partitions': '1',
    'share.coordinator.state.topic.replication.factor': '1',
    'share.coordinator.state.topic.min.isr': '1',
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
