/** Runs `work` at once and then again `everyMs` of real time after the end of each run, or `retryMs` after a failed one. */
export class Repeating {
  readonly #everyMs: number;
  readonly #retryMs: number;
  readonly #work: () => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #stopped = true;

  constructor(options: {
    everyMs: number;
    retryMs?: number;
    work: () => Promise<void>;
    onError: (error: unknown) => void;
  }) {
    this.#everyMs = options.everyMs;
    this.#retryMs = options.retryMs ?? options.everyMs;
    this.#work = options.work;
    this.#onError = options.onError;
  }

  /** The first run begins at once. */
  start(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#running = this.#runOnce();
  }

  /** No further run begins. Resolves when the running one has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #runOnce(): Promise<void> {
    let pauseMs = this.#everyMs;
    try {
      await this.#work();
    } catch (error) {
      pauseMs = this.#retryMs;
      this.#onError(error);
    }
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#runOnce();
    }, pauseMs);
  }
}
