import { UnavailableError } from '@tocsin/errors';

interface Aside {
  readonly failures: number;
  /** On the monotonic clock. */
  readonly untilMs: number;
}

const MAX_PAUSE_MS = 60_000;
/** So many documents that fail one after the other have a cause in common, such as a database that does not take writes. */
const MAX_SUSPECTS = 10;

/**
 * The documents that are not looked for, because they failed alone or another process has them, in the memory of this process.
 *
 * A document that fails is a suspect. Once another one succeeds, its error is its own: then it waits for 1, 2, 4 … 60 s. When the
 * run ends before that, it is looked for like others again.
 */
export class PutAside {
  readonly #aside = new Map<string, Aside>();
  readonly #suspects = new Map<string, unknown>();

  /** Those that are not looked for. */
  get ids(): string[] {
    return [...this.#aside.keys(), ...this.#suspects.keys()];
  }

  /** One whose pause has ended. */
  next(): string | undefined {
    const now = performance.now();
    for (const [id, { untilMs }] of this.#aside) if (untilMs <= now) return id;
    return undefined;
  }

  /** They were processed. */
  done(ids: readonly string[]): void {
    for (const id of ids) this.#aside.delete(id);
  }

  /** Another process has it. */
  pause(id: string, pauseMs: number): void {
    const failures = this.#aside.get(id)?.failures ?? 0;
    this.#aside.set(id, { failures, untilMs: performance.now() + pauseMs });
  }

  /** @throws `error` where too many have failed. */
  failed(id: string, error: unknown): void {
    if (this.#aside.has(id)) {
      this.#backOff(id);
      return;
    }
    this.#suspects.set(id, error);
    if (this.#suspects.size >= MAX_SUSPECTS) this.throwSuspected();
  }

  /** @throws the error of a suspect, where there is one. */
  throwSuspected(): void {
    for (const [id, error] of this.#suspects)
      throw error instanceof Error ? error : new UnavailableError(`${id} failed.`, { cause: error });
  }

  /** Another document was processed. */
  confirmSuspects(): void {
    for (const id of this.#suspects.keys()) this.#backOff(id);
    this.forgetSuspects();
  }

  forgetSuspects(): void {
    this.#suspects.clear();
  }

  #backOff(id: string): void {
    const failures = (this.#aside.get(id)?.failures ?? 0) + 1;
    const pauseMs = Math.min(MAX_PAUSE_MS, 1_000 * 2 ** (failures - 1));
    this.#aside.set(id, { failures, untilMs: performance.now() + pauseMs });
  }
}
