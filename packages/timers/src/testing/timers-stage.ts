import type { Clock } from '@tocsin/clock';
import { setTimeout as pause } from 'node:timers/promises';
import { collectionOf } from '@tocsin/persistence';
import { eventually, testMongo, type TestMongo } from '@tocsin/testing';
import { createConnection, type Connection } from 'mongoose';
import { timerIndexes, Timers, type DueTimer, type TimersOptions } from '../index.ts';

/** What the timers of these tests carry. */
export interface Page {
  readonly page: string;
  readonly note?: string | undefined;
}

export const COLLECTION = 'timers';
export const FIRE_WITHIN_MS = 1_000;
/** How many times as long as one read a poll may take. */
export const MAX_READS_PER_POLL = 10;
export const start = new Date('2026-03-01T08:00:00Z');

export const inMs = (milliseconds: number): Date => new Date(Date.now() + milliseconds);

export function row(id: string, dueAt: Date, fence = 1): { id: string; dueAt: Date; fence: number; payload: Page } {
  return { id, dueAt, fence, payload: { page: `page of ${id}` } };
}

/** A database of one test's own, and the replicas that fire its timers. */
export class TimersStage {
  readonly mongo: TestMongo;
  readonly fired: DueTimer<Page>[] = [];
  readonly errors: string[] = [];
  /** How late each was that was fired, in seconds. */
  readonly lags: number[] = [];
  readonly #connections: Connection[] = [];
  readonly #running: Timers<Page>[] = [];

  private constructor(mongo: TestMongo) {
    this.mongo = mongo;
  }

  static async open(): Promise<TimersStage> {
    const stage = new TimersStage(await testMongo());
    const connection = await stage.connect();
    for (const { collection, keys } of timerIndexes(COLLECTION)) {
      await connection.collection(collection).createIndex({ ...keys }, {}, {});
    }
    return stage;
  }

  async close(): Promise<void> {
    await Promise.all(this.#running.map((timers) => timers.stop()));
    await this.#connections[0]?.dropDatabase();
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }

  async connect(): Promise<Connection> {
    const { uri, database } = this.mongo;
    const connection = await createConnection(uri, { dbName: database, autoCreate: false }).asPromise();
    this.#connections.push(connection);
    return connection;
  }

  /** Keeps what it fires and removes it, unless told otherwise. */
  async replica(clock: Clock, options: Partial<TimersOptions<Page>> = {}): Promise<Timers<Page>> {
    const timers: Timers<Page> = new Timers<Page>({
      connection: await this.connect(),
      collection: COLLECTION,
      clock,
      logger: { error: (_, message) => this.errors.push(message) },
      metrics: { timerLag: (_, seconds) => void this.lags.push(seconds) },
      fire: async (due) => {
        this.fired.push(...due);
        await timers.remove(due);
      },
      ...options,
    });
    this.#running.push(timers);
    return timers;
  }

  /** Id -> when the lease ends, by MongoDB's clock. */
  async leaseEnds(): Promise<ReadonlyMap<string, number>> {
    const rows = collectionOf<{ _id: string; leaseUntil: Date | null }>(await this.connect(), COLLECTION).find();
    return new Map((await rows.toArray()).map(({ _id, leaseUntil }) => [_id, leaseUntil?.getTime() ?? 0]));
  }

  /** Waits until `check` does not throw. Returns how long the slowest read took meanwhile, which shows the load of the machine. */
  async slowestReadUntil(check: () => void): Promise<number> {
    const rows = collectionOf(await this.connect(), COLLECTION);
    let [slowestMs, isOver] = [0, false];
    const reading = (async () => {
      while (!isOver) {
        const beganAt = performance.now();
        await pause(1);
        await rows.findOne({});
        slowestMs = Math.max(slowestMs, performance.now() - beganAt);
      }
    })();
    await eventually(check).finally(() => (isOver = true));
    await reading;
    return slowestMs;
  }

  /** Of what was fired, in its order. */
  ids(): string[] {
    return this.fired.map((timer) => timer.id);
  }
}
