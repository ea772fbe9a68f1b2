import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { mongo } from 'mongoose';
import { portOpen } from './ports.ts';
import { ServerProcess, type ProcessEnd } from './server-process.ts';

const ALREADY_INITIATED = 23;
const PRIMARY_WITHIN_MS = 30_000;

/** Which mongod to run, where it keeps its data and listens. */
export interface MongodPlan {
  readonly binary: string;
  readonly dataDir: string;
  readonly port: number;
  /** Server parameters over our own, such as `ttlMonitorEnabled: 'false'`. */
  readonly parameters?: Readonly<Record<string, string>>;
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
    await portOpen(this.#plan.port, () => this.#trouble());
    const client = new mongo.MongoClient(`mongodb://127.0.0.1:${this.#plan.port}/?directConnection=true`);
    try {
      await initiated(client, this.#plan.port);
      await this.#primary(client);
    } finally {
      await client.close();
    }
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

  #trouble(): string | undefined {
    return this.#process.end === undefined ? undefined : `mongod ended while it started: see ${this.#logFile}`;
  }

  async #primary(client: mongo.MongoClient): Promise<void> {
    const until = performance.now() + PRIMARY_WITHIN_MS;
    while ((await client.db('admin').command({ hello: 1 }))['isWritablePrimary'] !== true) {
      if (performance.now() > until) throw new Error(`mongod has not become primary: see ${this.#logFile}`);
      await pause(20);
    }
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

/** A set that was initiated on another port is told of this one: data outlives the port it was served on. */
async function initiated(client: mongo.MongoClient, port: number): Promise<void> {
  const admin = client.db('admin');
  const host = `127.0.0.1:${port}`;
  try {
    await admin.command({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host }] } });
  } catch (error) {
    if (!(error instanceof mongo.MongoServerError) || error.code !== ALREADY_INITIATED) throw error;
    const { config } = (await admin.command({ replSetGetConfig: 1 })) as { config: SetConfig };
    if (config.members[0]?.host === host) return;
    const moved = { ...config, version: config.version + 1, members: [{ _id: 0, host }] };
    await admin.command({ replSetReconfig: moved, force: true });
  }
}

interface SetConfig {
  readonly version: number;
  readonly members: readonly { readonly host: string }[];
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
