interface Aside {
  /** How often it failed by itself; 0 where another process has it. */
  readonly failures: number;
  /** How many documents had succeeded when it failed last. */
  readonly successes: number;
  /** On the monotonic clock. */
  readonly untilMs: number;
}

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/**
 * The documents that are not looked for, because they failed alone or another process has them, in the memory of this process.
 *
 * A document that fails waits for a second, so that it holds up no other. Where other documents succeed meanwhile, its error is its
 * own: then it waits for 2, 4 … 60 s. So nothing waits for longer than a second because MongoDB or another service was away.
 */
export class PutAside {
  readonly #aside = new Map<string, Aside>();
  #successes = 0;

  /** Those that are not looked for. What another process had is looked for again after its pause. */
  get ids(): string[] {
    const now = performance.now();
    for (const [id, { failures, untilMs }] of this.#aside) if (failures === 0 && untilMs <= now) this.#aside.delete(id);
    return [...this.#aside.keys()];
  }

  /** One that failed and whose pause has ended, to be tried alone. */
  next(): string | undefined {
    const now = performance.now();
    for (const [id, { failures, untilMs }] of this.#aside) if (failures > 0 && untilMs <= now) return id;
    return undefined;
  }

  /** They were processed. */
  done(ids: readonly string[]): void {
    for (const id of ids) this.#aside.delete(id);
    this.#successes += 1;
  }

  /** It is no longer due, and was not processed here. */
  forget(id: string): void {
    this.#aside.delete(id);
  }

  /** Another process has them. */
  pause(ids: readonly string[]): void {
    for (const id of ids) {
      const { failures = 0, successes = this.#successes } = this.#aside.get(id) ?? {};
      this.#aside.set(id, { failures, successes, untilMs: performance.now() + FIRST_PAUSE_MS });
    }
  }

  /** It failed alone. */
  failed(id: string): void {
    const { failures: before = 0, successes = this.#successes } = this.#aside.get(id) ?? {};
    const failures = before === 0 || this.#successes > successes ? before + 1 : before;
    const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
    this.#aside.set(id, { failures, successes: this.#successes, untilMs: performance.now() + pauseMs });
  }
}
