import fs from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { ALERTS, alertDocument, createSearchApp, indexPlans } from '@tocsin/alert-processor/search-app';
import { systemClock } from '@tocsin/core';
import { PrincipalSigner, PrincipalVerifier, PRINCIPAL_HEADER } from '@tocsin/http';
import { freePort, obtainMongod, startMongod, type Mongod } from '@tocsin/testkit';
import { asUnavailable, collectionOf, connectMongo, migrate, type Connection } from '@tocsin/mongo';
import { say } from './run-bench.ts';
import { searchAlert } from './search-alerts.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SIGNING_KEY = 'only of this bench, which ends with its process';
const BATCH = 2_000;
/** Batches that are under way at once. */
const LOADERS = 3;
const SAID_EVERY = 100_000;
/** How many alerts of another run are compared with those of today. */
const COMPARED = 200;

type AlertDocument = ReturnType<typeof alertDocument>;
type Collection = ReturnType<typeof collectionOf<AlertDocument>>;

export interface StageOptions {
  readonly alerts: number;
  /** Leaves the loaded data for the next run. */
  readonly keep: boolean;
}

/** A MongoDB of its own with the alerts of the bench, and the routes of alert-processor before it. */
export class SearchStage {
  readonly connection: Connection;
  readonly #mongod: Mongod;
  readonly #server: Server;
  readonly #folder: string;
  readonly #keep: boolean;
  readonly #signer = new PrincipalSigner([SIGNING_KEY]);

  private constructor(parts: { connection: Connection; mongod: Mongod; folder: string; keep: boolean }) {
    this.connection = parts.connection;
    this.#mongod = parts.mongod;
    this.#folder = parts.folder;
    this.#keep = parts.keep;
    const app = createSearchApp(parts.connection, {
      verifier: new PrincipalVerifier([SIGNING_KEY], 'alert-processor'),
      clock: systemClock,
      onDefect: (error) => {
        say(`A defect: ${String(error)}`);
      },
      meaningOf: asUnavailable,
    });
    this.#server = createServer(app).listen(0, '127.0.0.1');
  }

  static async open({ alerts, keep }: StageOptions): Promise<SearchStage> {
    const folder = path.join(ROOT, '.tocsin', `bench-search-${alerts}`);
    if (!keep) fs.rmSync(folder, { recursive: true, force: true });
    const downloads = process.env['TOCSIN_DOWNLOADS'] ?? path.join(ROOT, '.tocsin', 'downloads');
    const binary = await obtainMongod(downloads, say);
    const mongod = await startMongod({ binary, dataDir: folder, port: await freePort() });
    const connection = await connectMongo({ uri: mongod.uri, database: 'bench_search' });
    const stage = new SearchStage({ connection, mongod, folder, keep });
    try {
      await once(stage.#server, 'listening');
      await load(connection, alerts);
      return stage;
    } catch (error) {
      await stage.stop();
      throw error;
    }
  }

  /** The status of the answer; it has been read to its end. */
  async ask(target: string, teamId: string | undefined): Promise<number> {
    const { port } = this.#server.address() as AddressInfo;
    const principal = await this.#signer.sign(
      {
        kind: 'key',
        integrationId: 'integration-1',
        integrationName: 'Bench',
        integrationType: 'API',
        teamId,
        mayRead: true,
        mayWrite: false,
        mayConfigure: false,
      },
      'alert-processor',
      new Date(),
    );
    const response = await fetch(`http://127.0.0.1:${port}${target}`, { headers: { [PRINCIPAL_HEADER]: principal } });
    await response.arrayBuffer();
    return response.status;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await this.connection.close();
    await this.#mongod.stop();
    if (!this.#keep) fs.rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Documents first, and the indexes over all of them: in a fraction of the time, and the same in the end. */
async function load(connection: Connection, alerts: number): Promise<void> {
  const collection = collectionOf<AlertDocument>(connection, ALERTS);
  if (await isLoaded(collection, alerts)) say('The alerts of the last run are there');
  else {
    await connection.dropDatabase();
    let next = 0;
    const loader = async (): Promise<void> => {
      while (next < alerts) {
        const first = next;
        next = Math.min(alerts, first + BATCH);
        const batch = Array.from({ length: next - first }, (_, index) =>
          alertDocument(searchAlert(first + index, alerts)),
        );
        await collection.insertMany(batch, { ordered: false });
        if (next % SAID_EVERY === 0) say(`  ${next} alerts`);
      }
    };
    say(`Loading ${alerts} alerts`);
    await Promise.all(Array.from({ length: LOADERS }, loader));
  }
  say('Making the indexes');
  await migrate(
    connection,
    indexPlans.filter((plan) => plan.collection === ALERTS),
  );
}

/** Whether the alerts of another run are there, as far as some of them show: the same ones, stored as they are stored today. */
async function isLoaded(collection: Collection, alerts: number): Promise<boolean> {
  if ((await collection.estimatedDocumentCount()) !== alerts) return false;
  for (let index = 0; index < alerts; index += Math.ceil(alerts / COMPARED)) {
    const wanted = alertDocument(searchAlert(index, alerts));
    if (!isDeepStrictEqual(await collection.findOne({ _id: wanted._id }), wanted)) return false;
  }
  return true;
}
