/**
 * Runs `work` at most once at a time. Calls during a run share one further run after it. So each call resolves with a run that
 * began no earlier than the call.
 */
export class SingleFlight {
  readonly #work: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  run(): Promise<void> {
    if (this.#running === undefined) {
      this.#running = this.#work().finally(() => (this.#running = undefined));
      return this.#running;
    }
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.run();
      });
    return this.#next;
  }
}
