import fs from 'node:fs';
import path from 'node:path';
import { engineEnvironment } from './engine-environment.ts';
import { LocalServer, type ServerPlace } from './local-server.ts';
import type { Member } from './replica-set.ts';
import { ServerProcess } from './server-process.ts';

/** Which mongod to run, where it keeps its data and listens. */
export interface MongodPlan extends ServerPlace {
  readonly binary: string;
  readonly dataDir: string;
  readonly port: number;
  /** Server parameters over our own, such as `ttlMonitorEnabled: 'false'`. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** The file with the key of the members of the set. With this file a client needs a login, which `initiate` creates. */
  readonly keyFile?: string;
  /** Variables of its environment, such as those of libfaketime. */
  readonly environment?: Readonly<Record<string, string>>;
  /** How the replica set is initiated; in this process unless given. */
  readonly initiate?: (port: number) => Promise<void>;
}

/** A real mongod on this machine, by default the only member of its replica set. */
export class Mongod extends LocalServer {
  readonly #initiate: (port: number) => Promise<void>;
  readonly #address: string;

  constructor(plan: MongodPlan) {
    const logFile = path.join(plan.dataDir, 'mongod.log');
    super({ name: 'mongod', port: plan.port, host: plan.host, logFile, spawn: () => spawn(plan, logFile) });
    this.#address = `${plan.host ?? '127.0.0.1'}:${plan.port}`;
    this.#initiate = plan.initiate ?? (() => initiateMembers([this.#address]));
  }

  /** The connection string, with the replica set. */
  get uri(): string {
    return `mongodb://${this.#address}/?replicaSet=rs0`;
  }

  override async ready(): Promise<void> {
    // TCP first, because the driver retries only after 500 ms.
    await super.ready();
    await this.#initiate(this.port);
  }
}

function spawn(plan: MongodPlan, logFile: string): ServerProcess {
  fs.mkdirSync(plan.dataDir, { recursive: true });
  const env = engineEnvironment(plan.environment);
  const [command = '', ...args] = [...(plan.within ?? []), plan.binary, ...mongodArguments(plan)];
  return new ServerProcess({ command, args, logFile, env });
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

// The driver is large, so it is loaded when one of these is first called.

/**
 * Initiates one replica set of `members`, unless it exists. Resolves when it has a primary.
 *
 * @throws Error when it has none within 30 s.
 */
export async function initiateMembers(members: readonly Member[]): Promise<void> {
  const driver = await import('./replica-set.ts');
  await driver.initiateMembers(members);
}

/** Runs a command on the `admin` database of one mongod, primary or not; resolves with its answer. @throws what the driver throws. */
export async function adminCommand(
  member: Member,
  command: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const driver = await import('./replica-set.ts');
  return driver.adminCommand(member, command);
}

/** Which of `members` is the primary; undefined where none is. */
export async function primaryAmong<M extends Member>(members: readonly M[]): Promise<M | undefined> {
  const driver = await import('./replica-set.ts');
  return driver.primaryAmong(members);
}

/** @throws Error when no MongoDB with transactions answers at `uri` within 5 s. */
export async function requireReplicaSet(uri: string): Promise<void> {
  const { requireAnswer } = await import('./replica-set.ts');
  await requireAnswer(uri);
}

/**
 * A small cache with high limits for dirty pages. With the defaults WiredTiger evicts pages again and again from 12 MB of changes on,
 * which is a quarter of the cost of alerts.
 */
const EVICTION = [
  ...['eviction_dirty_target=40', 'eviction_dirty_trigger=60'],
  ...['eviction_updates_target=30', 'eviction_updates_trigger=40'],
].join();

/**
 * Closes files, and the sessions that keep them open, a minute after their last use, not ten: a run of all tests creates 25 000
 * files, and mongod aborts at the limit of open files.
 */
const IDLE_SECONDS = 60;
const FILES = `file_manager=(close_idle_time=${IDLE_SECONDS},close_scan_interval=10,close_handle_minimum=250)`;

/** CVE-2025-14847 is in zlib compression, and no registry has the release that fixes it: deploy/least-versions.json. */
const UNCOMPRESSED = ['--networkMessageCompressors', 'disabled'];

/** Without the second parameter, a client of this machine needs no login before the users exist, and may create an administrator. */
const logins = (keyFile: string): string[] => [
  ...['--keyFile', keyFile],
  ...['--setParameter', 'enableLocalhostAuthBypass=false'],
];

function mongodArguments(plan: MongodPlan): string[] {
  const parameters = {
    diagnosticDataCollectionEnabled: 'false',
    // How long the transaction of a killed process keeps its locks. That of a living process ends by its own deadline, which is
    // about as long.
    transactionLifetimeLimitSeconds: '5',
    wiredTigerSessionCloseIdleTimeSecs: String(IDLE_SECONDS),
    ...plan.parameters,
  };
  return [
    ...[
      '--replSet',
      'rs0',
      '--dbpath',
      plan.dataDir,
      '--port',
      String(plan.port),
      '--bind_ip',
      plan.host ?? '127.0.0.1',
    ],
    ...UNCOMPRESSED,
    ...(plan.keyFile === undefined ? [] : logins(plan.keyFile)),
    ...['--nounixsocket', '--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '64'],
    ...['--wiredTigerEngineConfigString', `${EVICTION},${FILES}`],
    ...Object.entries(parameters).flatMap(([name, value]) => ['--setParameter', `${name}=${value}`]),
  ];
}
