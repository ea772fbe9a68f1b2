/**
 * Runs `work` one at a time. Calls that come while it runs share one further run, which begins after it, so every call is
 * answered by a run that began no earlier than the call.
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
