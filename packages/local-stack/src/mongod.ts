import fs from 'node:fs';
import path from 'node:path';
import { engineEnvironment } from './engine-environment.ts';
import { LocalServer } from './local-server.ts';
import { ServerProcess } from './server-process.ts';

/** Which mongod to run, where it keeps its data and listens. */
export interface MongodPlan {
  readonly binary: string;
  readonly dataDir: string;
  readonly port: number;
  /** Server parameters over our own, such as `ttlMonitorEnabled: 'false'`. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** How the replica set is initiated; in this process, by `initiateReplicaSet`, unless given. */
  readonly initiate?: (port: number) => Promise<void>;
}

/** A real one-node replica set on 127.0.0.1. */
export class Mongod extends LocalServer {
  readonly #initiate: (port: number) => Promise<void>;

  constructor(plan: MongodPlan) {
    const logFile = path.join(plan.dataDir, 'mongod.log');
    super({ name: 'mongod', port: plan.port, logFile, spawn: () => spawn(plan, logFile) });
    this.#initiate = plan.initiate ?? initiateReplicaSet;
  }

  /** What clients connect to; names the replica set, so that transactions work. */
  get uri(): string {
    return `mongodb://127.0.0.1:${this.port}/?replicaSet=rs0`;
  }

  override async ready(): Promise<void> {
    // A plain connection first: the driver itself looks again only after 500 ms.
    await super.ready();
    await this.#initiate(this.port);
  }
}

function spawn(plan: MongodPlan, logFile: string): ServerProcess {
  fs.mkdirSync(plan.dataDir, { recursive: true });
  return new ServerProcess({ command: plan.binary, args: mongodArguments(plan), logFile, env: engineEnvironment() });
}

/**
 * Starts a real mongod and resolves when it is the primary of its one-node replica set.
 *
 * @throws Error when it ends before that; the message names its log file.
 */
export async function startMongod(plan: MongodPlan): Promise<Mongod> {
  const mongod = new Mongod(plan);
  await mongod.ready();
  return mongod;
}

/**
 * Makes the mongod on `port` the primary of a replica set of one. One that was initiated on another port is told of this
 * one: data outlives the port it was served on.
 */
export async function initiateReplicaSet(port: number): Promise<void> {
  // The driver is large: whoever has the set initiated by another process never loads it.
  const { initiate } = await import('./replica-set.ts');
  await initiate(port);
}

/** @throws Error when no MongoDB that can do transactions answers at `uri` within 5 s. */
export async function requireReplicaSet(uri: string): Promise<void> {
  const { requireAnswer } = await import('./replica-set.ts');
  await requireAnswer(uri);
}

/**
 * A small cache that is let get dirty: by its defaults WiredTiger writes pages out from 12 MB of changes on, over and over while
 * alerts come in, and a quarter of what they cost goes there.
 */
const EVICTION = [
  ...['eviction_dirty_target=40', 'eviction_dirty_trigger=60'],
  ...['eviction_updates_target=30', 'eviction_updates_trigger=40'],
].join();

/**
 * Files are closed a minute after their last use, not ten: a run of all tests makes 25 000, and a mongod that may open no more ends.
 * So are the sessions that keep them open.
 */
const IDLE_SECONDS = 60;
const FILES = `file_manager=(close_idle_time=${IDLE_SECONDS},close_scan_interval=10,close_handle_minimum=250)`;

function mongodArguments(plan: MongodPlan): string[] {
  const parameters = {
    diagnosticDataCollectionEnabled: 'false',
    // The transaction of a process that was killed keeps its locks for so long; the one of a living process ends by its
    // own deadline, which is about as long.
    transactionLifetimeLimitSeconds: '5',
    wiredTigerSessionCloseIdleTimeSecs: String(IDLE_SECONDS),
    ...plan.parameters,
  };
  return [
    ...['--replSet', 'rs0', '--dbpath', plan.dataDir, '--port', String(plan.port), '--bind_ip', '127.0.0.1'],
    ...['--nounixsocket', '--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '64'],
    ...['--wiredTigerEngineConfigString', `${EVICTION},${FILES}`],
    ...Object.entries(parameters).flatMap(([name, value]) => ['--setParameter', `${name}=${value}`]),
  ];
}
