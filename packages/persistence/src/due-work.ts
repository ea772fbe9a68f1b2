import type { Clock } from '@tocsin/clock';
import { UnavailableError } from '@tocsin/errors';
import type { Connection, mongo } from 'mongoose';
import { whenCommitted } from './commit-listeners.ts';
import { collectionOf, type Session } from './connection.ts';
import { isTransient, reasonOf } from './failures.ts';
import { LookStart } from './look-start.ts';
import type { IndexPlan } from './migrate.ts';
import { PutAside } from './put-aside.ts';
import { inTransaction } from './transaction.ts';

/** A document that says itself when it is due. Each write of the document sets the field anew. */
export interface DueDocument {
  readonly _id: string;
  /** By the service's clock; absent where nothing is to come. */
  readonly nextDueAt?: Date | undefined;
}

/** What {@link DueWork} needs. */
export interface DueWorkOptions<T extends DueDocument, P> {
  readonly connection: Connection;
  /** Its index comes from {@link dueIndex}. */
  readonly collection: string;
  readonly clock: Clock;
  readonly logger: { error(fields: object, message: string): void };
  readonly metrics?: { timerLag(collection: string, seconds: number): void };
  /** Starts a run of the task now or, during a run, one more after it. */
  readonly wake: () => void;
  /** Called before the transaction, with documents as they were found. It may call other services. */
  readonly prepare: (found: readonly T[], now: Date) => Promise<P>;
  /**
   * Does in the transaction what is due of `due`, the longest due first, and writes each with a later `nextDueAt` or none. It may
   * leave documents out; these are found again. `isCareful`: the only document was refused as a whole, so that as little as
   * possible of it is to be done.
   */
  readonly process: (
    session: Session,
    due: readonly T[],
    prepared: P,
    options: { readonly isCareful: boolean },
  ) => Promise<void>;
  /** Called when no transaction uses `prepared` any more. */
  readonly end?: (prepared: P) => void;
  /** Leaves out what is due first of a document that can never be processed, in the transaction. */
  readonly leaveOut: (session: Session, due: T, reason: string, now: Date) => Promise<void>;
  /** Most documents of one transaction; 500 by default. */
  readonly batch?: number;
}

const BY_DUE = { nextDueAt: 1 } as const;
/** The longest pause between two looks, and so how late a document that another process wrote may be found. */
const LOOK_EVERY_MS = 1_000;
/**
 * How often a look starts at the first document. It finds documents that another process wrote as due before the start of the other
 * looks, and did not process because it died.
 */
const FULL_LOOK_EVERY_MS = 2_000;
const MIN_PAUSE_MS = 10;
/** A run of the task ends after this time, so that it is seen to be alive. The next one follows at once. */
const MAX_RUN_MS = 10_000;
/** After so many conflicts another process has one of the documents. */
const MAX_TRIES = 5;
/** After so many failures alone, and no success, a run of the task fails: they have a cause in common. */
const MAX_FAILURES = 10;
/** A try that takes longer did not fit in the time of its transaction. */
const MAX_TRY_MS = 4_000;
/** Processes that conflicted start at a random one of the first four batches. */
const SPREAD = 4;

/** The index of a collection of documents that say themselves when they are due. */
export const dueIndex = (collection: string): IndexPlan => ({
  collection,
  keys: BY_DUE,
  options: { partialFilterExpression: { nextDueAt: { $exists: true } } },
  serves: 'documents of which something is due, the longest due first',
});

/** Another process writes one of the documents. */
class ConflictError extends Error {}

/** Why a document could not be processed alone. */
interface FailedTry {
  readonly error: unknown;
  readonly tookLong: boolean;
}

/**
 * Processes documents that are due, each within a second of `nextDueAt`, in whichever process finds it first. A document is
 * claimed by the transaction that processes it: the one that commits first sets its next instant, and the others conflict, try
 * again and find it no longer due. So a process that dies, freezes or is late leaves it due for the others.
 *
 * It is the work of a task that calls `activate`. While MongoDB is away, looks fail and nothing is backed off.
 */
export class DueWork<T extends DueDocument, P = unknown> {
  readonly #options: DueWorkOptions<T, P>;
  readonly #documents: mongo.Collection<DueDocument>;
  readonly #maxBatch: number;
  readonly #start = new LookStart<Date>({ fullLookEveryMs: FULL_LOOK_EVERY_MS });
  readonly #aside = new PutAside();
  /** Where the present look starts. */
  #after: Date | undefined;
  /** Each failure halves it, down to one; each success doubles it. */
  #batch: number;
  #isContended = false;
  /** Whether the last step tried a document that was put aside. */
  #hasTriedAside = false;
  /** Documents that failed alone since the last success. */
  #failures = 0;
  /** Batches of which another process had documents, since the last success. */
  #conflicts = 0;
  /** By the service's clock; undefined during a run. */
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
      while (!signal.aborted && performance.now() < endsAt) {
        if (await this.#step()) continue;
        pauseMs = await this.#pauseMs();
        break;
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

  /** When the earliest document is or was due. */
  async earliest(): Promise<Date | undefined> {
    return this.#first(undefined, []);
  }

  /** Tries a document that was put aside, or what is found: in turn, so that neither holds up the other. Whether there may be more. */
  async #step(): Promise<boolean> {
    const now = this.#now();
    const again = this.#hasTriedAside ? undefined : this.#aside.next();
    this.#hasTriedAside = again !== undefined;
    if (again !== undefined) {
      await this.#tryAgain(again, now);
      return true;
    }
    const found = await this.#look(now);
    if (found.length > 0) await this.#handle(found, now);
    return found.length > 0 || this.#aside.next() !== undefined;
  }

  async #tryAgain(id: string, now: Date): Promise<void> {
    const found = await this.#find({ ...this.#due(now), _id: id });
    if (found.length === 0) this.#aside.forget(id);
    else await this.#handle(found, now);
  }

  async #look(now: Date): Promise<readonly T[]> {
    this.#after = this.#start.next();
    const limit = this.#batch;
    const skip = this.#isContended ? Math.floor(Math.random() * SPREAD) * limit : 0;
    this.#isContended = false;
    const due = { ...this.#due(now, this.#after), _id: { $nin: this.#aside.ids } };
    const found = await this.#find(due, { limit, skip, hint: BY_DUE });
    return found.length > 0 || skip === 0 ? found : this.#find(due, { limit, hint: BY_DUE });
  }

  /** Of several documents that fail together, fewer are tried next. One that fails alone is put aside, or what is due first of it is left out. */
  async #handle(found: readonly T[], now: Date): Promise<void> {
    const [only] = found;
    const startedAt = performance.now();
    try {
      await this.#process(found, now, false);
    } catch (error) {
      const tookLong = performance.now() - startedAt > MAX_TRY_MS;
      if (error instanceof ConflictError) this.#conflicted(found);
      else if (found.length > 1) this.#batch = tookLong ? 1 : Math.ceil(found.length / 2);
      else if (only !== undefined) await this.#failed(only, { error, tookLong }, now);
      return;
    }
    this.#succeeded(found);
  }

  #succeeded(done: readonly T[]): void {
    this.#failures = 0;
    this.#conflicts = 0;
    this.#batch = Math.min(this.#maxBatch, this.#batch * 2);
    this.#aside.done(done.map(({ _id }) => _id));
  }

  /** Another process has some of them, which may be frozen in its transaction. */
  #conflicted(found: readonly T[]): void {
    this.#conflicts += 1;
    if (this.#conflicts > 1 || found.length === 1) this.#aside.pause(found.map(({ _id }) => _id));
    else this.#batch = Math.ceil(found.length / 2);
    this.#isContended = true;
  }

  async #failed(document: T, attempt: FailedTry, now: Date): Promise<void> {
    const { collection, logger } = this.#options;
    const failure = await this.#isolated(document, attempt, now);
    if (failure === undefined) {
      this.#succeeded([document]);
      return;
    }
    logger.error(
      { err: failure, collection, document: document._id },
      'a due document cannot be processed; it is tried again later',
    );
    this.#aside.failed(document._id);
    this.#failures += 1;
    if (this.#failures < MAX_FAILURES) return;
    this.#failures = 0;
    throw failure instanceof Error ? failure : new UnavailableError(`${document._id} failed.`, { cause: failure });
  }

  /** Does as much as can be done of a document that is refused each time, or takes too long. Resolves with why nothing could be done. */
  async #isolated(document: T, { error, tookLong }: FailedTry, now: Date): Promise<unknown> {
    if (isTransient(error) && !tookLong) return error;
    const carefully = this.#process([document], now, true);
    const refusal = await carefully.catch((failure: unknown) => failure);
    if (refusal === undefined || refusal instanceof ConflictError || isTransient(refusal)) return refusal;
    return this.#leaveOut(document, refusal, now).catch((failure: unknown) => failure);
  }

  async #leaveOut(document: T, refusal: unknown, now: Date): Promise<undefined> {
    const { collection, leaveOut, logger } = this.#options;
    await this.#inTransaction([document], now, async (session, [due]) => {
      if (due !== undefined) await leaveOut(session, due, reasonOf(refusal), now);
    });
    logger.error(
      { err: refusal, collection, document: document._id },
      'what is due of a document can never be done; it is left out',
    );
  }

  async #process(found: readonly T[], now: Date, isCareful: boolean): Promise<void> {
    const { collection, end, metrics, prepare, process } = this.#options;
    const prepared = await prepare(found, now);
    try {
      const claimed = await this.#inTransaction(found, now, async (session, due) => {
        if (due.length > 0) await process(session, due, prepared, { isCareful });
      });
      for (const { nextDueAt = now } of claimed)
        metrics?.timerLag(collection, Math.max(0, now.getTime() - nextDueAt.getTime()) / 1_000);
      this.#isContended ||= claimed.length < found.length / 2;
      const last = found.at(-1)?.nextDueAt;
      if (last !== undefined) this.#start.seen(last);
    } finally {
      end?.(prepared);
    }
  }

  /** Runs `work` with those of `found` that are still due. Resolves with these. @throws ConflictError after several conflicts. */
  async #inTransaction(
    found: readonly T[],
    now: Date,
    work: (session: Session, due: readonly T[]) => Promise<void>,
  ): Promise<readonly T[]> {
    const ids = found.map(({ _id }) => _id);
    let tries = 0;
    return inTransaction(this.#options.connection, async (session) => {
      if ((tries += 1) > MAX_TRIES) throw new ConflictError('Other processes write the same documents.');
      const due = await this.#find({ ...this.#due(now), _id: { $in: ids } }, { session, hint: { _id: 1 } });
      await work(session, due);
      return due;
    });
  }

  async #pauseMs(): Promise<number> {
    const next = await this.#first(this.#after, this.#aside.ids);
    const untilDue = next === undefined ? LOOK_EVERY_MS : next.getTime() - this.#nowMs();
    return Math.min(LOOK_EVERY_MS, Math.max(MIN_PAUSE_MS, untilDue));
  }

  async #first(after: Date | undefined, without: readonly string[]): Promise<Date | undefined> {
    const first = await this.#documents.findOne(
      { nextDueAt: { $exists: true, ...(after && { $gte: after }) }, _id: { $nin: [...without] } },
      { sort: BY_DUE, hint: BY_DUE, projection: { nextDueAt: 1 } },
    );
    return first?.nextDueAt;
  }

  #due(now: Date, after?: Date): mongo.Filter<DueDocument> {
    return { nextDueAt: { $exists: true, $lte: now, ...(after && { $gte: after }) } };
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
