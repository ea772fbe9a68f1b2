interface Started {
  readonly name: string;
  readonly stop: () => Promise<void> | void;
}

/**
 * Stops the parts of a service in reverse order of their start, each exactly once, and listeners before all others.
 *
 * A part that has started only after `stop` was called is stopped at once, so a signal during the start leaks nothing.
 */
export class Lifecycle {
  readonly #started: Started[] = [];
  readonly #inbound: Started[] = [];
  #stopping: Promise<void> | undefined;

  /** Whether `stop` was called. Parts that still wait in their start should give up then. */
  get stopping(): boolean {
    return this.#stopping !== undefined;
  }

  /** Starts a part, which is stopped by `stop`. */
  async start<T>(name: string, start: () => Promise<T> | T, stop: (part: T) => Promise<void> | void): Promise<T> {
    return this.#start(this.#started, name, start, stop);
  }

  /** Adds a part that runs already. */
  add(name: string, stop: () => Promise<void> | void): void {
    if (this.stopping) throw new Error(`${name} was added while the service was stopping`);
    this.#started.push({ name, stop });
  }

  /** Starts a part that takes requests from outside. It is stopped first, because it needs the others to answer them. */
  async startListener<T>(
    name: string,
    start: () => Promise<T> | T,
    stop: (part: T) => Promise<void> | void,
  ): Promise<T> {
    return this.#start(this.#inbound, name, start, stop);
  }

  async #start<T>(
    among: Started[],
    name: string,
    start: () => Promise<T> | T,
    stop: (part: T) => Promise<void> | void,
  ): Promise<T> {
    const part = await start();
    if (this.stopping) {
      await stop(part);
      throw new Error(`${name} started while the service was stopping`);
    }
    among.push({ name, stop: () => stop(part) });
    return part;
  }

  /** @throws AggregateError when a part could not be stopped; the others are stopped all the same. */
  async stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    await this.#stopping;
  }

  async #stopAll(): Promise<void> {
    const failures: Error[] = [];
    for (const { name, stop } of [...this.#started.splice(0), ...this.#inbound.splice(0)].reverse()) {
      try {
        await stop();
      } catch (error) {
        failures.push(new Error(`could not stop ${name}`, { cause: error }));
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'shutdown was not clean');
  }
}
