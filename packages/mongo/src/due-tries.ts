import { withTimeout, UnavailableError } from '@tocsin/core';
import { isTransient, isUnavailable, reasonOf } from './failures.ts';
import { PausedDocuments } from './paused-documents.ts';

export interface DueTriesOptions<T> {
  readonly collection: string;
  readonly logger: { error(fields: object, message: string): void };
  /** The most documents that are tried together. */
  readonly maxBatch: number;
  /**
   * Does the due work of documents in a transaction. Resolves with those of which something was due.
   *
   * @throws ContendedError after `maxTries` tries of the transaction.
   */
  readonly process: (
    found: readonly T[],
    until: Date,
    options: { readonly onlyFirstItem: boolean; readonly maxTries: number },
  ) => Promise<readonly T[]>;
  /** Skips the first due item of a document. Without it a document that is refused is tried again and again. */
  readonly skipFirstItem?: ((document: T, until: Date, reason: string) => Promise<void>) | undefined;
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
/** After a conflict the next look takes a random one of the first four batches. */
const BATCHES_AFTER_CONFLICT = 4;

/** The first due item of a document was skipped. */
const SKIPPED = Symbol('skipped');

/** Another process is writing one of the documents. */
export class ContendedError extends Error {}

/** A try of one document alone that failed. */
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
  #batchSize: number;
  #isContended = false;
  /** How many documents failed alone since the last success. */
  #failures = 0;
  /** How many batches had a conflict since the last success. */
  #conflicts = 0;
  /** The error of the last of too many documents that failed. */
  #lastError: Error | undefined;

  constructor(options: DueTriesOptions<T>) {
    this.#options = options;
    this.#batchSize = options.maxBatch;
  }

  /** The documents that looks exclude: they are paused or being tried. */
  get excludedIds(): string[] {
    return [...new Set([...this.#paused.excludedIds, ...this.#triedIds()])];
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
    return this.#paused.next(new Set(this.#triedIds()));
  }

  /** How many documents the next look finds at most, and how many it skips. */
  nextRange(): { readonly limit: number; readonly skip: number } {
    const limit = this.#batchSize;
    const skip = this.#isContended ? Math.floor(Math.random() * BATCHES_AFTER_CONFLICT) * limit : 0;
    this.#isContended = false;
    return { limit, skip };
  }

  /** To be called where a batch would be too large with more than so many documents. */
  limitBatch(documents: number): void {
    this.#batchSize = documents;
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

  #triedIds(): readonly string[] {
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
   * first due item is skipped. Never rejects.
   */
  async #try(found: readonly T[], until: Date): Promise<void> {
    const [only] = found;
    const startedAt = performance.now();
    // Where a batch had a conflict, several documents are not worth more tries: each half is tried next.
    const maxTries = this.#conflicts > 0 && found.length > 1 ? 1 : MAX_TRIES;
    try {
      this.#onSuccess(found, await this.#options.process(found, until, { onlyFirstItem: false, maxTries }));
    } catch (error) {
      const tookLong = performance.now() - startedAt > MAX_TRY_MS;
      if (error instanceof ContendedError) await this.#onConflict(found, until);
      else if (found.length > 1) this.#batchSize = tookLong ? 1 : Math.ceil(found.length / 2);
      else if (only !== undefined) await this.#onFailure(only, { error, tookLong }, until);
    }
  }

  #onSuccess(found: readonly T[], done: readonly T[]): void {
    this.#failures = 0;
    this.#conflicts = 0;
    this.#batchSize = Math.min(this.#options.maxBatch, this.#batchSize * 2);
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

  async #onFailure(document: T, failed: FailedTry, until: Date): Promise<void> {
    const { collection, logger } = this.#options;
    const failure = await this.#tryFirstItem(document, failed, until);
    if (failure === undefined || failure === SKIPPED) return;
    logger.error(
      { err: failure, collection, document: document._id },
      'A due document cannot be processed. It is tried again later.',
    );
    // A transaction of one document that takes too long shows the same error as an outage.
    this.#paused.recordFailure(document._id, failed.tookLong || !isUnavailable(failure));
    this.#failures += 1;
    if (this.#failures < MAX_FAILURES) return;
    this.#failures = 0;
    this.#lastError =
      failure instanceof Error ? failure : new UnavailableError(`${document._id} failed.`, { cause: failure });
  }

  /**
   * Does the first due item of a document that was refused as a whole or took too long, or skips the item. Resolves with the error where
   * neither could be done, or with {@link SKIPPED}.
   */
  async #tryFirstItem(document: T, { error, tookLong }: FailedTry, until: Date): Promise<unknown> {
    if (isTransient(error) && !tookLong) return error;
    try {
      const options = { onlyFirstItem: true, maxTries: MAX_TRIES };
      this.#onSuccess([document], await this.#options.process([document], until, options));
      return undefined;
    } catch (refusal) {
      const maySucceed =
        refusal instanceof ContendedError || isTransient(refusal) || !this.#paused.hasOwnError(document._id);
      return maySucceed ? refusal : this.#skipFirstItem(document, refusal, until).catch((failure: unknown) => failure);
    }
  }

  async #skipFirstItem(document: T, refusal: unknown, until: Date): Promise<unknown> {
    const { collection, logger, skipFirstItem } = this.#options;
    if (skipFirstItem === undefined) return refusal;
    await skipFirstItem(document, until, reasonOf(refusal));
    logger.error(
      { err: refusal, collection, document: document._id },
      'A due item of a document fails each time and is skipped.',
    );
    this.#paused.remove(document._id);
    return SKIPPED;
  }
}
