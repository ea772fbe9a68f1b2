import { setTimeout as pause } from 'node:timers/promises';

interface Part {
  readonly name: string;
  readonly stop: () => Promise<void> | void;
}

type Start<T> = () => Promise<T> | T;
type Stop<T> = (part: T) => Promise<void> | void;

/**
 * Starts the parts of a service, and stops each exactly once: first all work side by side, then resources one after the other.
 *
 * - Work is what begins something by itself: consumers, timers, loops, jobs. Its `stop` begins nothing more from the moment it is
 *   called, and resolves when what was begun has ended. It may use every resource until then.
 * - A listener is work that others begin. It may stop later than the rest, so that callers have time to go elsewhere.
 * - A resource is what work uses: connections, publishers, outboxes. Resources stop in the reverse order of their start.
 *
 * A part whose start ends only after `stop` was called is stopped at once, so a signal during the start leaks nothing.
 */
export class Lifecycle {
  readonly #resources: Part[] = [];
  readonly #work: Part[] = [];
  readonly #listeners: Part[] = [];
  #stopping: Promise<void> | undefined;

  /** Whether `stop` was called. Parts that still wait in their start should give up then. */
  get stopping(): boolean {
    return this.#stopping !== undefined;
  }

  /** Starts a resource. */
  async start<T>(name: string, start: Start<T>, stop: Stop<T>): Promise<T> {
    return this.#start(this.#resources, name, start, stop);
  }

  /** Adds a resource that runs already. */
  add(name: string, stop: () => Promise<void> | void): void {
    if (this.stopping) throw new Error(`${name} was added while the service was stopping`);
    this.#resources.push({ name, stop });
  }

  /** Starts work. */
  async startWork<T>(name: string, start: Start<T>, stop: Stop<T>): Promise<T> {
    return this.#start(this.#work, name, start, stop);
  }

  /** Starts a listener. */
  async startListener<T>(name: string, start: Start<T>, stop: Stop<T>): Promise<T> {
    return this.#start(this.#listeners, name, start, stop);
  }

  async #start<T>(among: Part[], name: string, start: Start<T>, stop: Stop<T>): Promise<T> {
    const part = await start();
    if (this.stopping) {
      await stop(part);
      throw new Error(`${name} started while the service was stopping`);
    }
    among.push({ name, stop: () => stop(part) });
    return part;
  }

  /**
   * Stops work before it returns, listeners `listenersAfterMs` of real time later, and resources when all of that has ended.
   *
   * @throws AggregateError when a part could not be stopped; the others are stopped all the same.
   */
  async stop({ listenersAfterMs = 0 }: { readonly listenersAfterMs?: number } = {}): Promise<void> {
    this.#stopping ??= this.#stopAll(listenersAfterMs);
    await this.#stopping;
  }

  async #stopAll(listenersAfterMs: number): Promise<void> {
    const failures: Error[] = [];
    const stop = async ({ name, stop: stopPart }: Part): Promise<void> => {
      try {
        await stopPart();
      } catch (error) {
        failures.push(new Error(`could not stop ${name}`, { cause: error }));
      }
    };
    const ended = this.#work.splice(0).map(stop);
    if (listenersAfterMs > 0) await pause(listenersAfterMs);
    await Promise.all([...ended, ...this.#listeners.splice(0).map(stop)]);
    for (const resource of this.#resources.splice(0).reverse()) await stop(resource);
    if (failures.length > 0) throw new AggregateError(failures, 'Parts of the service failed to stop.');
  }
}
