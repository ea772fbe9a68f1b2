import { withTimeout, UnavailableError } from '@tocsin/core';
import { isTransient, isUnavailable, reasonOf } from './failures.ts';

interface Pause {
  /** How often the document failed by its own error; 0 where another process has it. */
  readonly failures: number;
  /** How many batches had succeeded when the document failed last. */
  readonly successes: number;
  /** The same when it failed first, and the instant on the monotonic clock. */
  readonly firstFailure?: { readonly successes: number; readonly atMs: number };
  /** On the monotonic clock. */
  readonly untilMs: number;
}

const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** After so long the error of a document counts as its own, also where no other document succeeds. */
const OWN_ERROR_AFTER_MS = 60_000;

/**
 * The documents that looks exclude, because they failed alone or because another process has them. They are kept in the memory of
 * this process.
 *
 * A document that fails is paused for a second, so that it holds up no other. Where its error does not say that MongoDB or another
 * service was away, and other documents succeed meanwhile, the error is its own: then it is paused for 2, 4 … 60 s. So no document is
 * paused for longer than a second because MongoDB or another service was away, also for moments between which others succeed.
 */
export class PausedDocuments {
  readonly #pauses = new Map<string, Pause>();
  #successes = 0;

  /** The documents that looks exclude. One that another process had is looked for again when its pause ends. */
  get excludedIds(): string[] {
    const now = performance.now();
    for (const [id, { failures, untilMs }] of this.#pauses)
      if (failures === 0 && untilMs <= now) this.#pauses.delete(id);
    return [...this.#pauses.keys()];
  }

  /** A document that failed and whose pause has ended, none of `except`. It is to be tried alone. */
  next(except: ReadonlySet<string> = new Set()): string | undefined {
    const now = performance.now();
    for (const [id, { failures, untilMs }] of this.#pauses)
      if (failures > 0 && untilMs <= now && !except.has(id)) return id;
    return undefined;
  }

  /** To be called with documents that were processed together. */
  recordSuccess(ids: readonly string[]): void {
    for (const id of ids) this.#pauses.delete(id);
    this.#successes += 1;
  }

  /** To be called with a document that failed alone. `mayBeOwn` is false where the error says that an engine was away. */
  recordFailure(id: string, mayBeOwn = true): void {
    const now = performance.now();
    const { failures: before = 0, successes = this.#successes, firstFailure } = this.#pauses.get(id) ?? {};
    const failures = before === 0 || (mayBeOwn && this.#successes > successes) ? before + 1 : before;
    const pauseMs = mayBeOwn ? Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** (failures - 1)) : MIN_PAUSE_MS;
    this.#pauses.set(id, {
      failures,
      successes: this.#successes,
      firstFailure: firstFailure ?? { successes: this.#successes, atMs: now },
      untilMs: now + pauseMs,
    });
  }

  /**
   * Whether the error of a document that failed before is its own: another document was processed since, or it has failed for a
   * minute. Where every document fails, a release of this process may have a defect that another process has not.
   */
  hasOwnError(id: string): boolean {
    const first = this.#pauses.get(id)?.firstFailure;
    if (first === undefined) return false;
    return this.#successes > first.successes || performance.now() - first.atMs >= OWN_ERROR_AFTER_MS;
  }

  /** To be called with documents that another process has. */
  recordConflict(ids: readonly string[]): void {
    for (const id of ids) {
      const { failures = 0, successes = this.#successes, ...rest } = this.#pauses.get(id) ?? {};
      this.#pauses.set(id, { ...rest, failures, successes, untilMs: performance.now() + MIN_PAUSE_MS });
    }
  }

  /** To be called with a document that is no longer due. */
  remove(id: string): void {
    this.#pauses.delete(id);
  }
}

export interface DueTriesOptions<T> {
  readonly collection: string;
  readonly logger: { error(fields: object, message: string): void };
  /** Most documents that are tried together. */
  readonly maxBatch: number;
  /**
   * Does the due work of documents in a transaction. Resolves with those of which something was due.
   *
   * @throws ContendedError after `maxTries` tries of the transaction.
   */
  readonly process: (
    found: readonly T[],
    until: Date,
    options: { readonly isCareful: boolean; readonly maxTries: number },
  ) => Promise<readonly T[]>;
  /** Leaves out the first due item of a document. Without it a document that is refused is tried again and again. */
  readonly leaveOut?: ((document: T, until: Date, reason: string) => Promise<void>) | undefined;
}

/** After so many conflicts another process has one of the documents. */
export const MAX_TRIES = 5;
/** After so many conflicts and no success another process has many of the documents. More than it takes to find one among 500. */
const MAX_CONFLICTS = 12;
/** After so many documents that failed alone, and no success between them, the failures have one cause. */
const MAX_FAILURES = 10;
/** A try that takes longer than this was too long for the time limit of its transaction. */
const MAX_TRY_MS = 4_000;
/** After so long other documents are tried beside one that is tried alone. */
const SLOW_TRY_MS = 1_000;
/** The number of documents that may take longer than that at a time. Then no other is tried. */
const MAX_SLOW_TRIES = 4;
/** A process that had a conflict takes a random one of the first four batches. */
const SPREAD = 4;

/** The first due item of a document was left out. */
const LEFT_OUT = Symbol('left out');

/** Another process is writing one of the documents. */
export class ContendedError extends Error {}

/** Why a document could not be processed alone. */
interface FailedTry {
  readonly error: unknown;
  readonly tookLong: boolean;
}

/**
 * Tries due documents so that none holds up others: neither one that fails, nor one that another process has, nor one whose try takes
 * long. It knows which documents looks exclude.
 */
export class DueTries<T extends { readonly _id: string }> {
  readonly #options: DueTriesOptions<T>;
  readonly #paused = new PausedDocuments();
  /** The tries under way, with their documents. */
  readonly #underWay = new Map<Promise<void>, readonly T[]>();
  /** How many documents the next look finds at most. Each failure halves it, down to one; each success doubles it. */
  #batch: number;
  #isContended = false;
  /** How many documents failed alone since the last success. */
  #failures = 0;
  /** How many batches had a conflict since the last success. */
  #conflicts = 0;
  /** The error of the last of too many documents that failed. */
  #lastError: Error | undefined;

  constructor(options: DueTriesOptions<T>) {
    this.#options = options;
    this.#batch = options.maxBatch;
  }

  /** The documents that looks exclude: they are paused or being tried. */
  get excludedIds(): string[] {
    return [...new Set([...this.#paused.excludedIds, ...this.#tried()])];
  }

  /** Whether so many tries take long that no other begins. */
  get isFull(): boolean {
    return this.#underWay.size >= MAX_SLOW_TRIES;
  }

  get isUnderWay(): boolean {
    return this.#underWay.size > 0;
  }

  /** A document that failed and whose pause has ended. It is to be tried alone. */
  next(): string | undefined {
    return this.#paused.next(new Set(this.#tried()));
  }

  /** How many documents the next look finds at most, and how many it skips. */
  nextRange(): { readonly limit: number; readonly skip: number } {
    const limit = this.#batch;
    const skip = this.#isContended ? Math.floor(Math.random() * SPREAD) * limit : 0;
    this.#isContended = false;
    return { limit, skip };
  }

  /** To be called where a batch would be too large with more than so many documents. */
  limitBatch(documents: number): void {
    this.#batch = documents;
  }

  /** To be called with a document that is no longer due. */
  remove(id: string): void {
    this.#paused.remove(id);
  }

  /**
   * Tries documents, which looks exclude meanwhile. Resolves when they were tried. Where a document is tried alone, it resolves after
   * a second, and the try goes on beside others. Not that of several documents: the database may be slow, and further batches would
   * make it slower.
   *
   * @throws the last error, where many documents failed and none succeeded between them.
   */
  async try(found: readonly T[], until: Date): Promise<void> {
    await this.#begin(found, until);
    this.#throwLastError();
  }

  /** Resolves when a try has ended, or after `limitMs`. @throws as {@link try}. */
  async whenTried(limitMs: number): Promise<void> {
    await withTimeout(Promise.race(this.#underWay.keys()), limitMs, () => undefined);
    this.#throwLastError();
  }

  #tried(): readonly string[] {
    return [...this.#underWay.values()].flatMap((documents) => documents.map(({ _id }) => _id));
  }

  async #begin(found: readonly T[], until: Date): Promise<void> {
    const trying = this.#try(found, until).finally(() => this.#underWay.delete(trying));
    this.#underWay.set(trying, found);
    await (found.length > 1 ? trying : withTimeout(trying, SLOW_TRY_MS, () => undefined));
  }

  #throwLastError(): void {
    const error = this.#lastError;
    this.#lastError = undefined;
    if (error !== undefined) throw error;
  }

  /**
   * Processes documents. Where several fail together, the next batch is smaller. A document that fails alone is paused, or its
   * first due item is left out. Never rejects.
   */
  async #try(found: readonly T[], until: Date): Promise<void> {
    const [only] = found;
    const startedAt = performance.now();
    // Where a batch had a conflict, several documents are not worth more tries: each half is tried next.
    const maxTries = this.#conflicts > 0 && found.length > 1 ? 1 : MAX_TRIES;
    try {
      this.#onSuccess(found, await this.#options.process(found, until, { isCareful: false, maxTries }));
    } catch (error) {
      const tookLong = performance.now() - startedAt > MAX_TRY_MS;
      if (error instanceof ContendedError) await this.#onConflict(found, until);
      else if (found.length > 1) this.#batch = tookLong ? 1 : Math.ceil(found.length / 2);
      else if (only !== undefined) await this.#onFailure(only, { error, tookLong }, until);
    }
  }

  #onSuccess(found: readonly T[], done: readonly T[]): void {
    this.#failures = 0;
    this.#conflicts = 0;
    this.#batch = Math.min(this.#options.maxBatch, this.#batch * 2);
    this.#isContended ||= done.length < found.length / 2;
    const ids = found.map(({ _id }) => _id);
    if (done.length > 0) this.#paused.recordSuccess(ids);
    else for (const id of ids) this.#paused.remove(id);
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
    await this.#begin(found.slice(0, half), until);
    await this.#begin(found.slice(half), until);
  }

  async #onFailure(document: T, attempt: FailedTry, until: Date): Promise<void> {
    const { collection, logger } = this.#options;
    const failure = await this.#tryCarefully(document, attempt, until);
    if (failure === undefined || failure === LEFT_OUT) return;
    logger.error(
      { err: failure, collection, document: document._id },
      'A due document cannot be processed. It is tried again later.',
    );
    // A transaction of one document that takes too long shows the same error as an outage.
    this.#paused.recordFailure(document._id, attempt.tookLong || !isUnavailable(failure));
    this.#failures += 1;
    if (this.#failures < MAX_FAILURES) return;
    this.#failures = 0;
    this.#lastError =
      failure instanceof Error ? failure : new UnavailableError(`${document._id} failed.`, { cause: failure });
  }

  /**
   * Does as much as possible of a document that is refused each time, or takes too long. Resolves with the error where nothing could be
   * done, or with {@link LEFT_OUT}.
   */
  async #tryCarefully(document: T, { error, tookLong }: FailedTry, until: Date): Promise<unknown> {
    if (isTransient(error) && !tookLong) return error;
    try {
      const options = { isCareful: true, maxTries: MAX_TRIES };
      this.#onSuccess([document], await this.#options.process([document], until, options));
      return undefined;
    } catch (refusal) {
      const isTried =
        refusal instanceof ContendedError || isTransient(refusal) || !this.#paused.hasOwnError(document._id);
      return isTried ? refusal : this.#leaveOut(document, refusal, until).catch((failure: unknown) => failure);
    }
  }

  async #leaveOut(document: T, refusal: unknown, until: Date): Promise<unknown> {
    const { collection, leaveOut, logger } = this.#options;
    if (leaveOut === undefined) return refusal;
    await leaveOut(document, until, reasonOf(refusal));
    logger.error(
      { err: refusal, collection, document: document._id },
      'A due item of a document fails each time and is left out.',
    );
    this.#paused.remove(document._id);
    return LEFT_OUT;
  }
}
