import type { Clock } from '@tocsin/clock';
import { UnavailableError } from '@tocsin/errors';
import type { Connection, mongo } from 'mongoose';
import { whenCommitted } from './commit-listeners.ts';
import { collectionOf, type Session } from './connection.ts';
import { isTransient, reasonOf } from './failures.ts';
import { LookStart } from './look-start.ts';
import type { IndexPlan } from './migrate.ts';
import { PausedDocuments } from './paused-documents.ts';
import { inTransaction } from './transaction.ts';

/** A document that says itself when it is due. Each write of the document sets the field anew. */
export interface DueDocument {
  readonly _id: string;
  /** By the service's clock; absent where nothing of the document will be due. */
  readonly nextDueAt?: Date | undefined;
}

/** What {@link DueWork} needs. */
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
   * now. What it holds back is looked for again every 50 ms.
   */
  readonly dueUntil?: (earliest: Date) => Promise<Date | undefined>;
  /**
   * Called before the transaction, with documents as they were found, which are due at `until` or before: now, or what `dueUntil`
   * resolved with. It may call other services.
   */
  readonly prepare: (found: readonly T[], until: Date) => Promise<P>;
  /**
   * Does in the transaction what is due of `due`, the longest due first, and writes each with a later `nextDueAt` or none. It may
   * skip documents; these are found again. `isCareful`: `due` is one document that was refused as a whole, and as little of it as
   * possible is to be done.
   */
  readonly process: (
    session: Session,
    due: readonly T[],
    prepared: P,
    options: { readonly isCareful: boolean },
  ) => Promise<void>;
  /** Called when no transaction uses `prepared` any more. */
  readonly end?: (prepared: P) => void;
  /** Leaves out, in the transaction, what is due first of a document that can never be processed. */
  readonly leaveOut: (session: Session, due: T, reason: string, now: Date) => Promise<void>;
  /** A further condition on documents that are due, asked for by each look. The others are left alone until they fulfil it. */
  readonly condition?: () => mongo.Filter<T>;
  /** Most documents of one transaction; 500 by default. */
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
/** After so many conflicts another process has one of the documents. */
const MAX_TRIES = 5;
/** After so many conflicts and no success another process has many of the documents. More than it takes to find one among 500. */
const MAX_CONFLICTS = 12;
/** After so many documents that failed alone, and no success between them, a run of the task fails: the failures have one cause. */
const MAX_FAILURES = 10;
/** A try that takes longer than this was too long for the time limit of its transaction. */
const MAX_TRY_MS = 4_000;
/** A process that had a conflict takes a random one of the first four batches. */
const SPREAD = 4;

const NEVER = new Date(0);

/** The index of a collection of documents that say themselves when they are due. */
export const dueIndex = (collection: string): IndexPlan => ({
  collection,
  keys: BY_DUE,
  options: { partialFilterExpression: { nextDueAt: { $exists: true } } },
  serves: 'documents of which something is due, the longest due first',
});

/** Another process is writing one of the documents. */
class ConflictError extends Error {}

/** Why a document could not be processed alone. */
interface FailedTry {
  readonly error: unknown;
  readonly tookLong: boolean;
}

/**
 * Processes documents that are due, each within a second of `nextDueAt`, in the process that finds it first. The transaction that
 * processes a document is its claim: the transaction that commits first sets the document's next instant, and the others conflict, try
 * again and find it no longer due. So a document stays due for the other processes where one dies, freezes or is late.
 *
 * A task calls `activate`. While MongoDB is away, looks fail; no document is paused for longer than a second.
 */
export class DueWork<T extends DueDocument, P = unknown> {
  readonly #options: DueWorkOptions<T, P>;
  readonly #documents: mongo.Collection<DueDocument>;
  readonly #maxBatch: number;
  readonly #start = new LookStart<Date>({ fullLookEveryMs: FULL_LOOK_EVERY_MS });
  readonly #paused = new PausedDocuments();
  /** The look under way starts at documents that are due then; undefined: at the first document. */
  #after: Date | undefined;
  /** How many documents the next look finds at most. Each failure halves it, down to one; each success doubles it. */
  #batch: number;
  #isContended = false;
  /** What `dueUntil` resolved with last. */
  #allowedUntil: Date | undefined;
  /** Whether it holds back all that the last look was for. */
  #isHeld = false;
  /** Whether the last step tried a document whose pause had ended. */
  #hasTriedPaused = false;
  /** How many documents failed alone since the last success. */
  #failures = 0;
  /** How many batches had a conflict since the last success. */
  #conflicts = 0;
  /** When the next run starts at the latest, by the service's clock; undefined during a run. */
  #nextLookAtMs: number | undefined;

  constructor(options: DueWorkOptions<T, P>) {
    this.#options = options;
    this.#documents = collectionOf(options.connection, options.collection);
    this.#maxBatch = options.batch ?? 500;
    this.#batch = this.#maxBatch;
  }

  get collection(): string {
    return this.#options.collection;
  }

  /**
   * To be called in each transaction that writes documents, with the instants at which these are due. After the commit the task is
   * woken where one is due before the next look.
   */
  written(session: Session, instants: readonly (Date | undefined)[]): void {
    const earliest = Math.min(...instants.map((instant) => instant?.getTime() ?? Infinity));
    if (earliest === Infinity) return;
    const committed = (): void => {
      if (this.#after !== undefined && earliest <= this.#after.getTime()) this.#start.reset();
      if (earliest < (this.#nextLookAtMs ?? this.#nowMs() + LOOK_EVERY_MS)) this.#options.wake();
    };
    whenCommitted(session, committed, committed);
  }

  /**
   * Processes what is due, until nothing is or `signal` aborts. Returns the pause before the next run.
   *
   * @throws what MongoDB or `process` throws, where no document could be processed.
   */
  async activate(signal: AbortSignal): Promise<{ readonly pauseMs: number }> {
    const endsAt = performance.now() + MAX_RUN_MS;
    this.#nextLookAtMs = undefined;
    let pauseMs = 0;
    try {
      pauseMs = await this.#begin();
      while (pauseMs === 0 && !signal.aborted && performance.now() < endsAt)
        if (!(await this.#step())) pauseMs = this.#isHeld ? HELD_PAUSE_MS : pauseUntil(await this.#next(), this.#now());
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
   * The first look of a run. Mostly nothing is due, so it asks only when the next document is due, with one query. Resolves with the
   * pause, or with 0 where there may be something to do.
   */
  async #begin(): Promise<number> {
    if (this.#paused.next() !== undefined) return 0;
    const now = this.#now();
    this.#after = this.#start.next();
    const next = await this.#next();
    if (next === undefined || next > now) return pauseUntil(next, this.#now());
    const until = await this.#until(next, now);
    if (until === undefined) return HELD_PAUSE_MS;
    const found = await this.#findDue(until);
    if (found.length > 0) await this.#handle(found, until);
    return 0;
  }

  /**
   * Tries alternately a document whose pause has ended and the documents of a look, so that neither delays the other. Resolves with
   * whether there may be more to do.
   */
  async #step(): Promise<boolean> {
    const now = this.#now();
    const id = this.#hasTriedPaused ? undefined : this.#paused.next();
    this.#hasTriedPaused = id !== undefined;
    if (id !== undefined) {
      await this.#tryAgain(id, this.#lastUntil(now));
      return true;
    }
    const found = await this.#look(now);
    if (found.length > 0) await this.#handle(found, this.#lastUntil(now));
    return found.length > 0 || this.#paused.next() !== undefined;
  }

  /** Up to which due instant documents are processed, where one is due at `earliest`; undefined: not up to it. */
  async #until(earliest: Date, now: Date): Promise<Date | undefined> {
    const { dueUntil } = this.#options;
    if (dueUntil !== undefined) this.#allowedUntil = await dueUntil(earliest);
    const until = this.#lastUntil(now);
    this.#isHeld = until < earliest;
    return this.#isHeld ? undefined : until;
  }

  #lastUntil(now: Date): Date {
    const until = this.#options.dueUntil === undefined ? now : (this.#allowedUntil ?? NEVER);
    return until < now ? until : now;
  }

  async #tryAgain(id: string, until: Date): Promise<void> {
    const found = await this.#find({ ...this.#due(until), _id: id });
    if (found.length === 0) this.#paused.remove(id);
    else await this.#handle(found, until);
  }

  async #look(now: Date): Promise<readonly T[]> {
    this.#after = this.#start.next();
    this.#isHeld = false;
    if (this.#options.dueUntil === undefined) return this.#findDue(now);
    const next = await this.#next();
    const until = next === undefined || next > now ? undefined : await this.#until(next, now);
    return until === undefined ? [] : this.#findDue(until);
  }

  /** What is due from the start of the look on. */
  async #findDue(until: Date): Promise<readonly T[]> {
    const limit = this.#batch;
    const skip = this.#isContended ? Math.floor(Math.random() * SPREAD) * limit : 0;
    this.#isContended = false;
    const due = { ...this.#due(until, this.#after), _id: { $nin: this.#paused.ids } };
    const found = await this.#find(due, { limit, skip, hint: BY_DUE });
    return found.length > 0 || skip === 0 ? found : this.#find(due, { limit, hint: BY_DUE });
  }

  /**
   * Processes documents. Where several fail together, the next batch is smaller. A document that fails alone is paused, or what is due
   * first of it is left out.
   */
  async #handle(found: readonly T[], until: Date): Promise<void> {
    const [only] = found;
    const startedAt = performance.now();
    try {
      await this.#process(found, until, false);
    } catch (error) {
      const tookLong = performance.now() - startedAt > MAX_TRY_MS;
      if (error instanceof ConflictError) await this.#onConflict(found, until);
      else if (found.length > 1) this.#batch = tookLong ? 1 : Math.ceil(found.length / 2);
      else if (only !== undefined) await this.#onFailure(only, { error, tookLong }, until);
      return;
    }
    this.#onSuccess(found);
  }

  #onSuccess(done: readonly T[]): void {
    this.#failures = 0;
    this.#conflicts = 0;
    this.#batch = Math.min(this.#maxBatch, this.#batch * 2);
    this.#paused.recordSuccess(done.map(({ _id }) => _id));
  }

  /**
   * Another process has some of the documents. It may be frozen in its transaction, so each half is tried by itself: the others do not
   * wait for those. Where it has many of them, the rest is paused.
   */
  async #onConflict(found: readonly T[], until: Date): Promise<void> {
    this.#isContended = true;
    this.#conflicts += 1;
    if (found.length === 1 || this.#conflicts > MAX_CONFLICTS) {
      this.#paused.recordConflict(found.map(({ _id }) => _id));
      return;
    }
    const half = Math.ceil(found.length / 2);
    await this.#handle(found.slice(0, half), until);
    await this.#handle(found.slice(half), until);
  }

  async #onFailure(document: T, attempt: FailedTry, until: Date): Promise<void> {
    const { collection, logger } = this.#options;
    const failure = await this.#processCarefully(document, attempt, until);
    if (failure === undefined) {
      this.#onSuccess([document]);
      return;
    }
    logger.error(
      { err: failure, collection, document: document._id },
      'a due document cannot be processed; it is tried again later',
    );
    this.#paused.recordFailure(document._id);
    this.#failures += 1;
    if (this.#failures < MAX_FAILURES) return;
    this.#failures = 0;
    throw failure instanceof Error ? failure : new UnavailableError(`${document._id} failed.`, { cause: failure });
  }

  /**
   * Does as much as possible of a document that is refused each time, or takes too long. Resolves with the error where nothing could be
   * done.
   */
  async #processCarefully(document: T, { error, tookLong }: FailedTry, until: Date): Promise<unknown> {
    if (isTransient(error) && !tookLong) return error;
    const carefully = this.#process([document], until, true);
    const refusal = await carefully.catch((failure: unknown) => failure);
    if (refusal === undefined || refusal instanceof ConflictError || isTransient(refusal)) return refusal;
    return this.#leaveOut(document, refusal, until).catch((failure: unknown) => failure);
  }

  async #leaveOut(document: T, refusal: unknown, until: Date): Promise<undefined> {
    const { collection, leaveOut, logger } = this.#options;
    await this.#inTransaction([document], until, async (session, [due]) => {
      if (due !== undefined) await leaveOut(session, due, reasonOf(refusal), this.#now());
    });
    logger.error(
      { err: refusal, collection, document: document._id },
      'what is due of a document can never be done; it is left out',
    );
  }

  async #process(found: readonly T[], until: Date, isCareful: boolean): Promise<void> {
    const { collection, end, metrics, prepare, process } = this.#options;
    const prepared = await prepare(found, until);
    try {
      const claimed = await this.#inTransaction(found, until, async (session, due) => {
        if (due.length > 0) await process(session, due, prepared, { isCareful });
      });
      for (const { nextDueAt = until } of claimed)
        metrics?.timerLag(collection, Math.max(0, this.#nowMs() - nextDueAt.getTime()) / 1_000);
      this.#isContended ||= claimed.length < found.length / 2;
      const last = found.at(-1)?.nextDueAt;
      if (last !== undefined) this.#start.seen(last);
    } finally {
      end?.(prepared);
    }
  }

  /**
   * Runs `work` with those of `found` that are still due. Resolves with these.
   *
   * @throws ConflictError after several conflicts.
   */
  async #inTransaction(
    found: readonly T[],
    until: Date,
    work: (session: Session, due: readonly T[]) => Promise<void>,
  ): Promise<readonly T[]> {
    const ids = found.map(({ _id }) => _id);
    const { connection, transaction } = this.#options;
    // Where a batch had a conflict, several documents are not worth more tries: each half is tried next.
    const maxTries = this.#conflicts > 0 && found.length > 1 ? 1 : MAX_TRIES;
    let tries = 0;
    const claimAndWork = async (session: Session): Promise<readonly T[]> => {
      if ((tries += 1) > maxTries) throw new ConflictError('Other processes write the same documents.');
      const due = await this.#find({ ...this.#due(until), _id: { $in: ids } }, { session, hint: { _id: 1 } });
      await work(session, due);
      return due;
    };
    return transaction === undefined ? inTransaction(connection, claimAndWork) : transaction(claimAndWork);
  }

  /** When the first document is due, from the start of the last look on and without those that are paused. */
  async #next(): Promise<Date | undefined> {
    const after = this.#after;
    const due = { nextDueAt: { $exists: true, ...(after && { $gte: after }) }, _id: { $nin: this.#paused.ids } };
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
