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
 * service was unavailable, and other documents succeed meanwhile, the error is its own: then it is paused for 2, 4 … 60 s. So no document
 * is paused for longer than a second because MongoDB or another service was unavailable, also for moments between which others succeed.
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

  /** To be called with a document that failed alone. `mayBeOwn` is false where the error says that an engine was unavailable. */
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
