import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { RESTORES, type RestoreMarker } from '@tocsin/mongo';
import type { mongo } from 'mongoose';
import { TroubleError } from '../trouble.ts';

const RENEW_EVERY_MS = 2_000;
/** A marker that was renewed no longer ago is of a restore that runs, by the clock of the database. */
const ALIVE_MS = 15_000;
/** A restore that has not renewed its marker for so long, by its own clock, renews it before it writes. It is less than ALIVE_MS. */
const HELD_MS = 10_000;

export interface UnendedRestore {
  readonly database: string;
  readonly marker: RestoreMarker;
  /** False where it was cut off. */
  readonly isAlive: boolean;
}

const markers = (client: mongo.MongoClient, database: string): mongo.Collection<RestoreMarker> =>
  client.db(database).collection<RestoreMarker>(RESTORES);

/** Those of `databases` whose restore has begun and not ended. */
export async function unendedRestores(
  client: mongo.MongoClient,
  databases: Iterable<string>,
  session?: mongo.ClientSession,
): Promise<readonly UnendedRestore[]> {
  // A time that is further ahead is of a primary whose clock was ahead.
  const isAlive = {
    $and: [
      { $gt: ['$aliveAt', { $subtract: ['$$NOW', ALIVE_MS] }] },
      { $lt: ['$aliveAt', { $add: ['$$NOW', ALIVE_MS] }] },
    ],
  };
  const found: UnendedRestore[] = [];
  for (const database of databases) {
    const pipeline = [{ $match: { _id: 'running' } }, { $project: { _id: 0, marker: '$$ROOT', isAlive } }];
    const options = session === undefined ? {} : { session };
    for await (const each of markers(client, database).aggregate<Omit<UnendedRestore, 'database'>>(pipeline, options))
      found.push({ database, ...each });
  }
  return found;
}

/** @throws TroubleError when one of the restores runs. */
export function requireCutOff(restores: readonly UnendedRestore[]): void {
  const running = restores.find(({ isAlive }) => isAlive);
  if (running === undefined) return;
  const { backup, startedAt } = running.marker;
  throw new TroubleError(
    `Another restore runs: of backup ${backup}, since ${startedAt.toISOString()}. Wait for its end, or end it. A killed one counts for ${ALIVE_MS / 1_000} s more.`,
  );
}

type MarkerOptions = Pick<RestoreMarker, 'backup' | 'startedAt'> & {
  /** The clock of this process, of which only differences count. */
  readonly nowMs?: () => number;
};

interface Taken {
  readonly run: string;
  readonly markedAtMs: number;
  readonly tookOver: boolean;
  readonly nowMs: () => number;
}

/**
 * The marker of one restore, in all its databases. While it is there no service starts, and until it is 15 s old no other restore begins.
 * It is renewed until `remove` or `abandon`.
 */
export class HeldMarker {
  /** Whether an earlier restore of one of the databases was cut off. */
  readonly tookOver: boolean;
  readonly #client: mongo.MongoClient;
  readonly #databases: readonly string[];
  readonly #run: string;
  readonly #nowMs: () => number;
  readonly #stopping = new AbortController();
  readonly #renewing: Promise<void>;
  /** Before the request. */
  #renewedAtMs: number;
  #isLost = false;

  private constructor(
    client: mongo.MongoClient,
    databases: readonly string[],
    { markedAtMs, nowMs, run, tookOver }: Taken,
  ) {
    this.#client = client;
    this.#databases = databases;
    this.#run = run;
    this.#nowMs = nowMs;
    this.tookOver = tookOver;
    this.#renewedAtMs = markedAtMs;
    this.#renewing = this.#renewUntilStopped();
  }

  /**
   * Marks all databases, or none of them.
   *
   * @throws TroubleError when another restore runs on one of them. Of two that begin at the same time, one is refused.
   */
  static async take(
    client: mongo.MongoClient,
    databases: readonly string[],
    { backup, nowMs = () => performance.now(), startedAt }: MarkerOptions,
  ): Promise<HeldMarker> {
    const run = randomUUID();
    const marker = { _id: 'running', backup, startedAt, run };
    const update = [{ $replaceWith: { $mergeObjects: [{ $literal: marker }, { aliveAt: '$$NOW' }] } }];
    const marked = await client.withSession((session) =>
      session.withTransaction(async () => {
        const markedAtMs = nowMs();
        const earlier = await unendedRestores(client, databases, session);
        requireCutOff(earlier);
        for (const database of databases)
          await markers(client, database).updateOne({ _id: 'running' }, update, { upsert: true, session });
        return { markedAtMs, tookOver: earlier.length > 0 };
      }),
    );
    return new HeldMarker(client, databases, { ...marked, nowMs, run });
  }

  /**
   * Does one write of the restore.
   *
   * @throws TroubleError, with nothing written, when another restore has taken the databases over.
   */
  async write<T>(work: () => Promise<T>): Promise<T> {
    // Timers are late in a process that was frozen.
    if (this.#nowMs() - this.#renewedAtMs > HELD_MS) await this.#renew();
    if (this.#isLost) throw lost();
    return work();
  }

  /**
   * Removes the marker from all databases.
   *
   * @throws TroubleError, with nothing removed, when another restore has marked one of them since.
   */
  async remove(): Promise<void> {
    await this.#stopRenewing();
    await this.#client.withSession((session) =>
      session.withTransaction(async () => {
        for (const database of this.#databases) {
          const own = { _id: 'running', run: this.#run } as const;
          const { deletedCount } = await markers(this.#client, database).deleteOne(own, { session });
          if (deletedCount === 0) throw lost();
        }
      }),
    );
  }

  /** Leaves the marker, and lets another restore begin at once where the database can be reached. Does nothing to that of another one. */
  async abandon(): Promise<void> {
    await this.#stopRenewing();
    await Promise.allSettled(
      this.#databases.map((database) =>
        markers(this.#client, database).updateOne(
          { _id: 'running', run: this.#run },
          { $set: { aliveAt: new Date(0) } },
        ),
      ),
    );
  }

  async #stopRenewing(): Promise<void> {
    this.#stopping.abort();
    await this.#renewing;
  }

  async #renewUntilStopped(): Promise<void> {
    const { signal } = this.#stopping;
    while (!this.#isLost) {
      await pause(RENEW_EVERY_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      // After an outage it is renewed before the next write.
      await this.#renew().catch(() => undefined);
    }
  }

  async #renew(): Promise<void> {
    const sentAtMs = this.#nowMs();
    const own = { _id: 'running', run: this.#run } as const;
    const renewals = await Promise.all(
      this.#databases.map((database) =>
        markers(this.#client, database).updateOne(own, [{ $set: { aliveAt: '$$NOW' } }]),
      ),
    );
    if (renewals.some(({ matchedCount }) => matchedCount === 0)) this.#isLost = true;
    else this.#renewedAtMs = sentAtMs;
  }
}

const lost = (): TroubleError =>
  new TroubleError('Another restore has taken these databases over, so this one ends. Wait for the end of that one.');
