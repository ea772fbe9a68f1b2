interface Pause {
  /** How often the document failed by its own error; 0 where another process has it. */
  readonly failures: number;
  /** How many batches had succeeded when the document failed last. */
  readonly successes: number;
  /** On the monotonic clock. */
  readonly untilMs: number;
}

const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/**
 * The documents that looks leave out, because they failed alone or because another process has them. They are kept in the memory of
 * this process.
 *
 * A document that fails is paused for a second, so that it holds up no other. Where other documents succeed meanwhile, the error is
 * its own: then it is paused for 2, 4 … 60 s. So no document is paused for longer than a second because MongoDB or another service
 * was away.
 */
export class PausedDocuments {
  readonly #pauses = new Map<string, Pause>();
  #successes = 0;

  /** The documents that looks leave out. One that another process had is looked for again when its pause ends. */
  get ids(): string[] {
    const now = performance.now();
    for (const [id, { failures, untilMs }] of this.#pauses)
      if (failures === 0 && untilMs <= now) this.#pauses.delete(id);
    return [...this.#pauses.keys()];
  }

  /** A document that failed and whose pause has ended. It is to be tried alone. */
  next(): string | undefined {
    const now = performance.now();
    for (const [id, { failures, untilMs }] of this.#pauses) if (failures > 0 && untilMs <= now) return id;
    return undefined;
  }

  /** To be called with documents that were processed together. */
  recordSuccess(ids: readonly string[]): void {
    for (const id of ids) this.#pauses.delete(id);
    this.#successes += 1;
  }

  /** To be called with a document that failed alone. */
  recordFailure(id: string): void {
    const { failures: before = 0, successes = this.#successes } = this.#pauses.get(id) ?? {};
    const failures = before === 0 || this.#successes > successes ? before + 1 : before;
    const pauseMs = Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** (failures - 1));
    this.#pauses.set(id, { failures, successes: this.#successes, untilMs: performance.now() + pauseMs });
  }

  /** To be called with documents that another process has. */
  recordConflict(ids: readonly string[]): void {
    for (const id of ids) {
      const { failures = 0, successes = this.#successes } = this.#pauses.get(id) ?? {};
      this.#pauses.set(id, { failures, successes, untilMs: performance.now() + MIN_PAUSE_MS });
    }
  }

  /** To be called with a document that is no longer due. */
  remove(id: string): void {
    this.#pauses.delete(id);
  }
}
