import fs from 'node:fs';
import path from 'node:path';
import { portOpen } from './ports.ts';
import { ServerProcess, type ProcessEnd } from './server-process.ts';

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

/** A real one-node replica set on 127.0.0.1. Its data and port stay the same over `kill` and `restart`. */
export class Mongod {
  readonly #plan: MongodPlan;
  #process: ServerProcess;

  constructor(plan: MongodPlan) {
    this.#plan = plan;
    this.#process = this.#spawn();
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** What clients connect to; names the replica set, so that transactions work. */
  get uri(): string {
    return `mongodb://127.0.0.1:${this.#plan.port}/?replicaSet=rs0`;
  }

  get port(): number {
    return this.#plan.port;
  }

  get exited(): Promise<ProcessEnd> {
    return this.#process.exited;
  }

  async ready(): Promise<void> {
    // A plain connection first: the driver itself looks again only after 500 ms.
    await portOpen(this.#plan.port, () =>
      this.#process.end === undefined ? undefined : `mongod ended while it started: see ${this.#logFile}`,
    );
    await (this.#plan.initiate ?? initiateReplicaSet)(this.#plan.port);
  }

  async restart(): Promise<void> {
    await this.#process.stop();
    this.#process = this.#spawn();
    await this.ready();
  }

  async stop(): Promise<void> {
    await this.#process.stop();
  }

  async kill(): Promise<void> {
    await this.#process.kill();
  }

  pause(): void {
    this.#process.pause();
  }

  resume(): void {
    this.#process.resume();
  }

  get #logFile(): string {
    return path.join(this.#plan.dataDir, 'mongod.log');
  }

  #spawn(): ServerProcess {
    fs.mkdirSync(this.#plan.dataDir, { recursive: true });
    return new ServerProcess({ command: this.#plan.binary, args: mongodArguments(this.#plan), logFile: this.#logFile });
  }
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

function mongodArguments(plan: MongodPlan): string[] {
  const parameters = {
    diagnosticDataCollectionEnabled: 'false',
    // The transaction of a process that was killed keeps its locks for so long; the one of a living process ends by its
    // own deadline, which is about as long.
    transactionLifetimeLimitSeconds: '5',
    ...plan.parameters,
  };
  return [
    ...['--replSet', 'rs0', '--dbpath', plan.dataDir, '--port', String(plan.port), '--bind_ip', '127.0.0.1'],
    ...['--nounixsocket', '--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '64'],
    ...Object.entries(parameters).flatMap(([name, value]) => ['--setParameter', `${name}=${value}`]),
  ];
}
