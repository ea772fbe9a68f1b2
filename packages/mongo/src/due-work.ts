import type { Clock } from '@tocsin/core';
import { mongo, type Connection } from 'mongoose';
import { whenCommitted } from './commit-listeners.ts';
import { collectionOf, type Session } from './connection.ts';
import { ContendedError, DueTries, MAX_TRIES } from './due-tries.ts';
import { LookStart } from './look-start.ts';
import type { IndexPlan } from './migrate.ts';
import { inTransaction } from './transaction.ts';

/** A document that says itself when it is due. Each write of the document sets the field anew. */
export interface DueDocument {
  readonly _id: string;
  /** By the service's clock; absent where nothing of the document will be due. */
  readonly nextDueAt?: Date | undefined;
}

export interface DueWorkOptions<T extends DueDocument, P> {
  readonly connection: Connection;
  /** Its index comes from {@link dueIndex}. */
  readonly collection: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: { error(fields: object, message: string): void };
  readonly metrics?: { timerLag(collection: string, seconds: number): void };
  /** Starts a run of the task now or, during a run, one more after it. */
  readonly wake: () => void;
  /**
   * Up to which due instant documents may be processed now; undefined: none. Called where one is due at `earliest`. By default up to
   * now. Documents that it holds back are looked for again every 50 ms.
   */
  readonly dueUntil?: (earliest: Date) => Promise<Date | undefined>;
  /**
   * Called before the transaction, with documents as they were found, which are due at `until` or before: now, or the
   * result of `dueUntil`. It may call other services.
   */
  readonly prepare: (found: readonly T[], until: Date) => Promise<P>;
  /**
   * Does the due work of the documents `due` in the transaction, the longest due first, and writes each with a later `nextDueAt` or
   * none. It may leave documents as they are; these are found again. `onlyFirstItem`: `due` is one document that was refused as a whole,
   * and only its first due item is to be done.
   */
  readonly process: (
    session: Session,
    due: readonly T[],
    prepared: P,
    options: { readonly onlyFirstItem: boolean },
  ) => Promise<void>;
  /** Called when no transaction uses `prepared` any more. */
  readonly end?: (prepared: P) => void;
  /**
   * Skips, in the transaction, the first due item of a document that is refused each time. Without it the document is tried again and
   * again.
   */
  readonly skipFirstItem?: (session: Session, due: T, reason: string, now: Date) => Promise<void>;
  /** A further condition on documents that are due, evaluated for each look. Documents wait until they fulfil it. */
  readonly condition?: () => mongo.Filter<T>;
  /** The most documents of one transaction; 500 by default, and fewer where these have more than 4 MiB together. */
  readonly batch?: number;
  /** Runs the transactions; `inTransaction` unless given. */
  readonly transaction?: <R>(work: (session: Session) => Promise<R>) => Promise<R>;
}

/** The keys of the index of {@link dueIndex}. */
export const BY_DUE = { nextDueAt: 1 } as const;
/** The longest pause between two looks. So a document that another process wrote is found this much too late at most. */
const LOOK_EVERY_MS = 1_000;
/**
 * How often a look starts at the first document. Only such a look finds a document that another process wrote with a `nextDueAt`
 * before the start of the other looks; it is needed where the other process died before it processed the document.
 */
const FULL_LOOK_EVERY_MS = 2_000;
const MIN_PAUSE_MS = 10;
/** The pause before the next look where all that is due is held back. */
const HELD_PAUSE_MS = 50;
/** A run of the task ends after this time, so that `/tasks` shows that it is alive. The next run follows at once. */
const MAX_RUN_MS = 10_000;
/** The most bytes of the documents of one batch, unless one alone has more. */
const MAX_BYTES = 4_194_304;

/** Before each due instant. */
const BEFORE_ALL = new Date(0);

/** The index of a collection of documents that say themselves when they are due. */
export const dueIndex = (collection: string): IndexPlan => ({
  collection,
  keys: BY_DUE,
  options: { partialFilterExpression: { nextDueAt: { $exists: true } } },
  serves: 'documents of which something is due, the longest due first',
});

/**
 * Processes documents that are due, each within a second of `nextDueAt`, in the process that finds it first. The transaction that
 * processes a document is its claim: the transaction that commits first sets the document's next instant, and the others conflict, try
 * again and find it no longer due. So a document stays due for the other processes where one dies, freezes or is late.
 *
 * A task calls `activate`. While MongoDB is unavailable, looks fail; no document is paused for longer than a second.
 */
export class DueWork<T extends DueDocument, P = unknown> {
  readonly #options: DueWorkOptions<T, P>;
  readonly #documents: mongo.Collection<DueDocument>;
  readonly #lookStart = new LookStart<Date>({ fullLookEveryMs: FULL_LOOK_EVERY_MS });
  readonly #tries: DueTries<T>;
  /** The look under way starts at documents that are due then; undefined: at the first document. */
  #lookStartsAt: Date | undefined;
  /** The last result of `dueUntil`. */
  #allowedUntil: Date | undefined;
  /** Whether the last step tried a document whose pause had ended. */
  #hasTriedPaused = false;
  /** When the next run starts at the latest, by the service's clock; undefined during a run. */
  #nextLookAtMs: number | undefined;

  constructor(options: DueWorkOptions<T, P>) {
    const { batch = 500, collection, connection, logger, skipFirstItem } = options;
    this.#options = options;
    this.#documents = collectionOf(connection, collection);
    this.#tries = new DueTries<T>({
      collection,
      logger,
      maxBatch: batch,
      process: (...parts) => this.#process(...parts),
      skipFirstItem:
        skipFirstItem &&
        (async (document, until, reason) => {
          await this.#inTransaction([document], until, MAX_TRIES, async (session, [due]) => {
            if (due !== undefined) await skipFirstItem(session, due, reason, this.#now());
          });
        }),
    });
  }

  get collection(): string {
    return this.#options.collection;
  }

  /**
   * To be called in each transaction that writes documents, with the instants at which these are due. Wakes the task after the commit,
   * where one is due before the next look.
   */
  wakeAfterCommit(session: Session, instants: readonly (Date | undefined)[]): void {
    const earliest = Math.min(...instants.map((instant) => instant?.getTime() ?? Infinity));
    if (earliest === Infinity) return;
    const committed = (): void => {
      if (this.#lookStartsAt !== undefined && earliest <= this.#lookStartsAt.getTime()) this.#lookStart.reset();
      if (earliest < (this.#nextLookAtMs ?? this.#nowMs() + LOOK_EVERY_MS)) this.#options.wake();
    };
    whenCommitted(session, committed, committed);
  }

  /**
   * Processes the due work, until nothing is or `signal` aborts. Returns the pause before the next run.
   *
   * @throws what MongoDB or `process` throws, where no document could be processed.
   */
  async activate(signal: AbortSignal): Promise<{ readonly pauseMs: number }> {
    const endsAt = performance.now() + MAX_RUN_MS;
    this.#nextLookAtMs = undefined;
    let pauseMs = 0;
    let isFirst = true;
    try {
      while (pauseMs === 0 && !signal.aborted && performance.now() < endsAt) {
        pauseMs = await this.#step(isFirst);
        isFirst = false;
      }
    } finally {
      this.#nextLookAtMs = this.#nowMs() + pauseMs;
    }
    return { pauseMs };
  }

  /** How many documents are due. */
  async countDue(): Promise<number> {
    return this.#documents.countDocuments({ nextDueAt: { $exists: true, $lte: this.#now() } }, { hint: BY_DUE });
  }

  /** When the first document is due, or has been due since; undefined where none will be. */
  async earliest(): Promise<Date | undefined> {
    return this.#first({ nextDueAt: { $exists: true } });
  }

  /**
   * Tries alternately a document whose pause has ended and the documents of a look, so that neither delays the other. Resolves with the
   * pause before the next step, which is 0 where there may be more to do.
   */
  async #step(asksFirst: boolean): Promise<number> {
    if (this.#tries.isFull) {
      await this.#tries.whenTried(LOOK_EVERY_MS);
      return 0;
    }
    const id = this.#hasTriedPaused ? undefined : this.#tries.next();
    this.#hasTriedPaused = id !== undefined;
    if (id !== undefined) {
      await this.#tryAgain(id, this.#processedUntil(this.#now()));
      return 0;
    }
    const pauseMs = await this.#look(asksFirst);
    if (pauseMs === 0 || this.#tries.next() !== undefined) return 0;
    if (!this.#tries.isUnderWay) return pauseMs;
    await this.#tries.whenTried(pauseMs);
    return 0;
  }

  async #tryAgain(id: string, until: Date): Promise<void> {
    const found = await this.#find({ ...this.#due(until), _id: id });
    if (found.length === 0) this.#tries.remove(id);
    else await this.#tries.try(found, until);
  }

  /**
   * Looks for documents and tries them. Mostly none is due at the start of a run, so it `asksFirst` when the next one is due, with one
   * query. Resolves with 0 where it tried documents, otherwise with the pause.
   */
  async #look(asksFirst: boolean): Promise<number> {
    const now = this.#now();
    let until: Date | undefined = now;
    this.#lookStartsAt = this.#lookStart.next();
    if (asksFirst || this.#options.dueUntil !== undefined) {
      const next = await this.#next();
      if (next === undefined || next > now) return pauseUntil(next, this.#now());
      until = await this.#until(next, now);
      if (until === undefined) return HELD_PAUSE_MS;
    }
    const found = await this.#findDue(until);
    if (found.length > 0) await this.#tries.try(found, until);
    return found.length > 0 ? 0 : pauseUntil(await this.#next(), this.#now());
  }

  /** Up to which due instant documents are processed, where one is due at `earliest`; undefined: not up to it. */
  async #until(earliest: Date, now: Date): Promise<Date | undefined> {
    const { dueUntil } = this.#options;
    if (dueUntil !== undefined) this.#allowedUntil = await dueUntil(earliest);
    const until = this.#processedUntil(now);
    return until < earliest ? undefined : until;
  }

  #processedUntil(now: Date): Date {
    const until = this.#options.dueUntil === undefined ? now : (this.#allowedUntil ?? BEFORE_ALL);
    return until < now ? until : now;
  }

  /** The documents that are due from the start of the look on, as many as one transaction is to have. */
  async #findDue(until: Date): Promise<readonly T[]> {
    const { limit, skip } = this.#tries.nextRange();
    const due = { ...this.#due(until, this.#lookStartsAt), _id: { $nin: this.#tries.excludedIds } };
    const found = await this.#findWithin(due, { limit, skip });
    return found.length > 0 || skip === 0 ? found : this.#findWithin(due, { limit });
  }

  /** The server ends its reply before 16 MiB, and what is over the bound is not decoded. */
  async #findWithin(filter: mongo.Filter<DueDocument>, options: mongo.FindOptions): Promise<readonly T[]> {
    const { limit = 1 } = options;
    const singleReply = { sort: BY_DUE, hint: BY_DUE, batchSize: limit, singleBatch: true, raw: true };
    const raw = (await this.#documents.find(filter, { ...options, ...singleReply }).toArray()) as unknown;
    const found = raw as readonly Buffer[];
    let bytes = 0;
    const fitting = found.filter(({ length }, index) => (bytes += length) <= MAX_BYTES || index === 0);
    if (fitting.length < found.length) this.#tries.limitBatch(fitting.length);
    return fitting.map((document) => mongo.BSON.deserialize(document) as T);
  }

  async #process(
    found: readonly T[],
    until: Date,
    { onlyFirstItem, maxTries }: { readonly onlyFirstItem: boolean; readonly maxTries: number },
  ): Promise<readonly T[]> {
    const { collection, end, metrics, prepare, process } = this.#options;
    const prepared = await prepare(found, until);
    try {
      const claimed = await this.#inTransaction(found, until, maxTries, async (session, due) => {
        if (due.length > 0) await process(session, due, prepared, { onlyFirstItem });
      });
      for (const { nextDueAt = until } of claimed)
        metrics?.timerLag(collection, Math.max(0, this.#nowMs() - nextDueAt.getTime()) / 1_000);
      const last = found.at(-1)?.nextDueAt;
      if (last !== undefined) this.#lookStart.record(last);
      return claimed;
    } finally {
      end?.(prepared);
    }
  }

  /**
   * Runs `work` with those of `found` that are still due. Resolves with these.
   *
   * @throws ContendedError after `maxTries` tries.
   */
  async #inTransaction(
    found: readonly T[],
    until: Date,
    maxTries: number,
    work: (session: Session, due: readonly T[]) => Promise<void>,
  ): Promise<readonly T[]> {
    const ids = found.map(({ _id }) => _id);
    const { connection, transaction } = this.#options;
    let tries = 0;
    const claimAndWork = async (session: Session): Promise<readonly T[]> => {
      if ((tries += 1) > maxTries) throw new ContendedError('Other processes write the same documents.');
      const due = await this.#find({ ...this.#due(until), _id: { $in: ids } }, { session, hint: { _id: 1 } });
      await work(session, due);
      return due;
    };
    return transaction === undefined ? inTransaction(connection, claimAndWork) : transaction(claimAndWork);
  }

  /** When the first document is due, from the start of the last look on and without those that are paused. */
  async #next(): Promise<Date | undefined> {
    const after = this.#lookStartsAt;
    const due = { nextDueAt: { $exists: true, ...(after && { $gte: after }) }, _id: { $nin: this.#tries.excludedIds } };
    return this.#first(this.#fulfilling(due));
  }

  async #first(filter: mongo.Filter<DueDocument>): Promise<Date | undefined> {
    const first = await this.#documents.findOne(filter, { sort: BY_DUE, hint: BY_DUE, projection: { nextDueAt: 1 } });
    return first?.nextDueAt;
  }

  #due(until: Date, after?: Date): mongo.Filter<DueDocument> {
    return this.#fulfilling({ nextDueAt: { $exists: true, $lte: until, ...(after && { $gte: after }) } });
  }

  #fulfilling(filter: mongo.Filter<DueDocument>): mongo.Filter<DueDocument> {
    const condition = this.#options.condition?.() as mongo.Filter<DueDocument> | undefined;
    return condition === undefined ? filter : { ...filter, $and: [condition] };
  }

  async #find(filter: mongo.Filter<DueDocument>, options: mongo.FindOptions = {}): Promise<readonly T[]> {
    return this.#documents.find<T>(filter, { sort: BY_DUE, ...options }).toArray();
  }

  #now(): Date {
    return this.#options.clock.now();
  }

  #nowMs(): number {
    return this.#now().getTime();
  }
}

/** The pause until a document is due, in milliseconds; never 0. */
function pauseUntil(next: Date | undefined, now: Date): number {
  const untilDue = next === undefined ? LOOK_EVERY_MS : next.getTime() - now.getTime();
  return Math.min(LOOK_EVERY_MS, Math.max(MIN_PAUSE_MS, untilDue));
}
