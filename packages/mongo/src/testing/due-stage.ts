import { setTimeout as pause } from 'node:timers/promises';
import { systemClock, type Clock } from '@tocsin/core';
import { monitoredUri, sentFinds, type SentFind } from '@tocsin/testkit';
import type { mongo } from 'mongoose';
import {
  collectionOf,
  connectMongo,
  DueWork,
  dueIndex,
  migrate,
  type Connection,
  type DueWorkOptions,
} from '../index.ts';

/** Something that is due once. */
export interface Thing {
  readonly _id: string;
  readonly nextDueAt?: Date;
}

export const THINGS = 'things';

interface Effect {
  readonly _id: mongo.ObjectId;
  readonly thing: string;
}

/** The work of a process on its things besides writing that they are done. */
type Handle = (due: readonly Thing[], options: { readonly onlyFirstItem: boolean }) => Promise<void> | void;

export interface ProcessOptions {
  readonly clock?: Clock;
  readonly batch?: number;
  readonly metrics?: NonNullable<DueWorkOptions<Thing, undefined>['metrics']>;
  readonly condition?: () => mongo.Filter<Thing>;
  readonly dueUntil?: NonNullable<DueWorkOptions<Thing, undefined>['dueUntil']>;
  /** Called before each transaction. */
  readonly prepare?: () => Promise<undefined>;
  /** Called before the things are written. */
  readonly before?: Handle;
  /** Called when they are written, and not committed. */
  readonly after?: Handle;
}

/** A process that does due work as a task runner does. */
export class DueProcess {
  readonly dueWork: DueWork<Thing, undefined>;
  /** Each `find` of things that it sends. */
  readonly finds: readonly SentFind[];
  readonly errors: string[] = [];
  readonly skipped: (readonly [string, string])[] = [];
  wakes = 0;
  readonly #abort = new AbortController();
  #loop: Promise<void> | undefined;

  constructor(connection: Connection, { after, before, clock = systemClock, ...options }: ProcessOptions) {
    this.finds = sentFinds(connection.getClient(), THINGS);
    const effects = collectionOf<Effect>(connection, 'effects');
    const things = collectionOf<Thing>(connection, THINGS);
    this.dueWork = new DueWork<Thing, undefined>({
      connection,
      collection: THINGS,
      clock,
      logger: { error: (_, message) => this.errors.push(message) },
      wake: () => (this.wakes += 1),
      prepare: () => Promise.resolve(undefined),
      process: async (session, due, _, how) => {
        await before?.(due, how);
        const ids = due.map(({ _id }) => _id);
        await things.updateMany({ _id: { $in: ids } }, { $unset: { nextDueAt: '' } }, { session });
        await effects.insertMany(ids.map((thing) => ({ thing })) as Effect[], { session });
        await after?.(due, how);
      },
      skipFirstItem: async (session, { _id }, reason) => {
        this.skipped.push([_id, reason]);
        await things.updateOne({ _id }, { $unset: { nextDueAt: '' } }, { session });
      },
      ...options,
    });
  }

  /** One run of the task. */
  activate(): Promise<{ readonly pauseMs: number }> {
    return this.dueWork.activate(this.#abort.signal);
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (!this.#abort.signal.aborted) {
      const { pauseMs } = await this.activate().catch(() => ({ pauseMs: 100 }));
      await pause(Math.min(pauseMs, 100));
    }
  }
}

/** Things in a database of their own, and the processes that do their due work. */
export class DueStage {
  readonly connection: Connection;
  readonly things: mongo.Collection<Thing>;
  readonly #processes: DueProcess[] = [];
  readonly #connections: Connection[] = [];
  readonly #uri: string;

  private constructor(connection: Connection, uri: string) {
    this.connection = connection;
    this.#uri = uri;
    this.things = collectionOf(connection, THINGS);
  }

  static async open({ database, uri }: { readonly uri: string; readonly database: string }): Promise<DueStage> {
    const connection = await connectMongo({ uri, database });
    await migrate(connection, [dueIndex(THINGS), { collection: 'effects', keys: { _id: 1 }, serves: 'tests' }]);
    return new DueStage(connection, uri);
  }

  async close(): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.stop()));
    await this.connection.dropDatabase();
    await Promise.all([this.connection, ...this.#connections].map((connection) => connection.close()));
  }

  /** A process with a connection of its own. */
  async process(options: ProcessOptions = {}): Promise<DueProcess> {
    const connection = await connectMongo({ uri: monitoredUri(this.#uri), database: this.connection.name });
    const process = new DueProcess(connection, options);
    this.#connections.push(connection);
    this.#processes.push(process);
    return process;
  }

  /** Adds things that are due at `nextDueAt`. */
  async add(nextDueAt: Date, ...ids: readonly string[]): Promise<void> {
    await this.things.insertMany(ids.map((_id, index) => ({ _id, nextDueAt: new Date(nextDueAt.getTime() + index) })));
  }

  /** Removes all things and all effects. */
  async clear(): Promise<void> {
    await this.things.deleteMany({});
    await collectionOf<Effect>(this.connection, 'effects').deleteMany({});
  }

  /** How often each thing was done, by id. */
  async done(): Promise<ReadonlyMap<string, number>> {
    const all = await collectionOf<Effect>(this.connection, 'effects').find().toArray();
    return new Map([...Map.groupBy(all, ({ thing }) => thing)].map(([thing, times]) => [thing, times.length]));
  }
}
