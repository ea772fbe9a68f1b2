/** `npm run bench -- heartbeats`: 20 000 heartbeats of a minute that are pinged 1 000 times a second, and then fall silent. */
import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { toDocument, HEARTBEATS } from '@tocsin/heartbeat-monitor/compose';
import { PrincipalSigner, PRINCIPAL_HEADER } from '@tocsin/http';
import { freePort, obtainMongod, startMongod, type Mongod } from '@tocsin/testkit';
import { collectionOf, connectMongo, migrate, type Connection } from '@tocsin/mongo';
import { heartbeatsResult, type MonitorReport } from './heartbeats-report.ts';
import { runBench, say } from './run-bench.ts';

const COUNT = Number(process.env['HEARTBEATS'] ?? 20_000);
const PER_SECOND = Number(process.env['PINGS'] ?? 1_000);
const INTERVAL_MS = 60_000;
/** Each heartbeat is pinged once and a half. */
const PINGS = Math.ceil(COUNT * 1.5);
const PLAIN_WRITES = 2_000;
/** Pings before those that are measured: a process that begins compiles its code first. */
const WARM_UP = 3_000;
/** After their interval; those that are reported by then are counted. */
const MAX_WAIT_MS = 30_000;
const SIGNING_KEY = 'only of this bench, which ends with its process';
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const nameOf = (index: number): string => `heartbeat ${index}`;

/** A MongoDB of its own, and a monitor in a process of its own. */
class Stage {
  readonly connection: Connection;
  readonly pings: Pool;
  readonly #mongod: Mongod;
  readonly #monitor: ChildProcess;
  readonly #folder: string;

  private constructor(parts: {
    connection: Connection;
    mongod: Mongod;
    monitor: ChildProcess;
    port: number;
    folder: string;
  }) {
    this.connection = parts.connection;
    this.pings = new Pool(`http://127.0.0.1:${parts.port}`, { connections: 128 });
    this.#mongod = parts.mongod;
    this.#monitor = parts.monitor;
    this.#folder = parts.folder;
  }

  static async start(): Promise<Stage> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-bench-'));
    const binary = await obtainMongod(process.env['TOCSIN_DOWNLOADS'] ?? path.join(ROOT, '.tocsin', 'downloads'), say);
    const mongod = await startMongod({ binary, dataDir: folder, port: await freePort() });
    const database = 'bench_heartbeats';
    const connection = await connectMongo({ uri: mongod.uri, database });
    const script = fileURLToPath(new URL('heartbeats-monitor.ts', import.meta.url));
    const monitor = fork(script, [mongod.uri, database, SIGNING_KEY]);
    const [port] = (await once(monitor, 'message')) as [number];
    return new Stage({ connection, mongod, monitor, port, folder });
  }

  async report(): Promise<MonitorReport> {
    this.#monitor.send('report');
    const [report] = (await once(this.#monitor, 'message')) as [MonitorReport];
    return report;
  }

  async stop(): Promise<void> {
    await this.pings.destroy();
    this.#monitor.kill();
    await this.connection.close();
    await this.#mongod.stop();
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }
}

say('Starting a MongoDB and a monitor');
await runBench(await Stage.start(), async (stage) => {
  say(`Loading ${COUNT} heartbeats`);
  await load(stage.connection);
  const plainWriteMs = await atRate(PLAIN_WRITES, (index) => plainWrite(stage.connection, index));
  say(`Pinging ${PINGS} times`);
  let refused = 0;
  const ping = await pinger(stage.pings);
  await atRate(WARM_UP, async (index) => {
    await ping(index % COUNT);
  });
  const before = await stage.report();
  const startedAt = performance.now();
  const pingMs = await atRate(PINGS, async (index) => {
    if ((await ping(index % COUNT)) !== 202) refused += 1;
  });
  const pinged = await stage.report();
  const pingedForMs = performance.now() - startedAt;
  say('Waiting until all have expired');
  const { lateMs, cpuMs, forMs } = await expiries(stage, pinged);
  return heartbeatsResult({
    heartbeats: COUNT,
    pingsPerSecond: PER_SECOND,
    pingMs,
    refused,
    wrongly: pinged.lateMs.length,
    lateMs,
    plainWriteMs,
    cores: [(pinged.cpuMs - before.cpuMs) / pingedForMs, cpuMs / forMs],
  });
});

async function load(connection: Connection): Promise<void> {
  const createdAt = new Date();
  const documents = Array.from({ length: COUNT }, (_, index) =>
    toDocument(
      {
        id: randomUUID(),
        name: nameOf(index),
        createdAt,
        description: '',
        interval: 1,
        intervalUnit: 'minutes',
        enabled: true,
        ownerTeamId: 'ops',
        alertMessage: undefined,
        alertTags: [],
        alertPriority: undefined,
        createdBy: { id: 'integration-1', name: 'Bench', type: 'API', ownerTeamId: undefined },
        lastPingAt: createdAt,
        expiresAt: new Date(createdAt.getTime() + INTERVAL_MS),
        nextDueAt: new Date(createdAt.getTime() + INTERVAL_MS),
        step: 0,
        steppedAt: undefined,
      },
      1,
    ),
  );
  await collectionOf<(typeof documents)[number]>(connection, HEARTBEATS).insertMany(documents, {
    ignoreUndefined: true,
  });
  await collectionOf(connection, 'plain').insertMany(documents.map(({ name }) => ({ name })));
  await migrate(connection, [
    { collection: 'plain', keys: { name: 1 }, serves: 'the write that a ping is compared with' },
  ]);
}

async function plainWrite(connection: Connection, index: number): Promise<void> {
  await collectionOf(connection, 'plain').updateOne({ name: nameOf(index) }, { $set: { at: new Date() } });
}

/** Begins `count` pieces of work at the rate of the bench, whether or not those before are done; their times from when each was to begin. */
async function atRate(count: number, work: (index: number) => Promise<void>): Promise<readonly number[]> {
  const startedAt = performance.now();
  const times: Promise<number>[] = [];
  while (times.length < count) {
    const due = Math.min(count, Math.floor(((performance.now() - startedAt) * PER_SECOND) / 1_000));
    while (times.length < due) {
      const index = times.length;
      const dueAt = startedAt + (index * 1_000) / PER_SECOND;
      times.push(work(index).then(() => performance.now() - dueAt));
    }
    await pause(1);
  }
  return Promise.all(times);
}

async function pinger(pool: Pool): Promise<(index: number) => Promise<number>> {
  const signer = new PrincipalSigner([SIGNING_KEY]);
  const caller = {
    kind: 'key',
    integrationId: 'i',
    integrationName: 'Bench',
    integrationType: 'API',
    teamId: undefined,
  } as const;
  const sign = () =>
    signer.sign({ ...caller, mayRead: true, mayWrite: true, mayConfigure: true }, 'heartbeat-monitor', new Date());
  let signed = await sign();
  let signedAt = performance.now();
  return async (index) => {
    if (performance.now() - signedAt > 20_000) {
      signedAt = performance.now();
      signed = await sign();
    }
    const target = { path: `/v2/heartbeats/${encodeURIComponent(nameOf(index))}/ping`, method: 'POST' } as const;
    const { statusCode, body } = await pool.request({ ...target, headers: { [PRINCIPAL_HEADER]: signed } });
    await body.dump();
    return statusCode;
  };
}

/** The reports until all have expired, or it takes too long, and the time of the monitor from the first expiry on. */
async function expiries(stage: Stage, pinged: MonitorReport) {
  const lateMs: number[] = [];
  const startedAt = performance.now();
  let [cpuMs, forMs] = [0, 1];
  let [last, lastAt] = [pinged, startedAt];
  while (lateMs.length < COUNT && performance.now() - startedAt < INTERVAL_MS + MAX_WAIT_MS) {
    await pause(1_000);
    const report = await stage.report();
    const now = performance.now();
    if (report.lateMs.length > 0) [cpuMs, forMs] = [cpuMs + report.cpuMs - last.cpuMs, forMs + now - lastAt];
    [last, lastAt] = [report, now];
    lateMs.push(...report.lateMs);
  }
  return { lateMs, cpuMs, forMs };
}
