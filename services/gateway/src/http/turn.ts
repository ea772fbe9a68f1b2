/**
 * How long the present turn of the event loop has gone on. Whatever arrives waits for its end, unseen by any queue of ours;
 * one that is long says that this process cannot keep up.
 */
export class Turn {
  readonly #now: () => number;
  readonly #whenOver: (end: () => void) => void;
  #startedAtMs: number | undefined;

  /** `now` counts milliseconds; `whenOver` calls back once the present turn is over. */
  constructor(
    now: () => number = () => performance.now(),
    whenOver: (end: () => void) => void = (end) => void setImmediate(end),
  ) {
    this.#now = now;
    this.#whenOver = whenOver;
  }

  /** Milliseconds since this was first asked in the present turn. */
  lastedMs(): number {
    const now = this.#now();
    if (this.#startedAtMs === undefined) {
      this.#startedAtMs = now;
      this.#whenOver(() => {
        this.#startedAtMs = undefined;
      });
    }
    return now - this.#startedAtMs;
  }
}
