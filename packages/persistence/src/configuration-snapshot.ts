import type { Connection } from 'mongoose';
import { committed, inTurn, type Committed } from './change-configuration.ts';
import type { Session } from './connection.ts';
import { asUnavailable } from './failures.ts';
import { Revision } from './revision.ts';
import { inTransaction } from './transaction.ts';

/** What a decision comes to: its answer and, unless nothing is to be written, how to write it. */
export interface SnapshotChange<V, R> {
  readonly answer: R;
  readonly write?: (session: Session) => Promise<void>;
  /** The configuration once that is written. */
  readonly after?: () => V;
}

interface Held<V> {
  readonly revision: number;
  readonly value: V;
}

/**
 * Holds what a service makes of all its configuration, in memory, as of one {@link Revision}: policies compiled, schedules by
 * name. Reading it costs the database one small read (E11, E13). Decisions that depend on many entities are plain functions of it.
 *
 * @example
 * const rules = new ConfigurationSnapshot(connection, async (session) => compiled(await policies.list({}, session)));
 * const { matching } = await rules.current();
 */
export class ConfigurationSnapshot<V> {
  readonly #connection: Connection;
  readonly #load: (session: Session) => Promise<V>;
  readonly #revision: Revision;
  #held: Held<V> | undefined;
  #loading: Promise<Held<V>> | undefined;

  /** `load` reads everything through its session. */
  constructor(connection: Connection, load: (session: Session) => Promise<V>) {
    this.#connection = connection;
    this.#load = load;
    this.#revision = new Revision(connection);
  }

  /**
   * The configuration with every write that was answered before this call, of whichever replica.
   *
   * @throws UnavailableError while MongoDB is away.
   */
  async current(): Promise<V> {
    return (await this.#present()).value;
  }

  /**
   * Writes what `decide` makes of the present configuration. No other write of any replica comes in between: `decide` runs
   * again when one did. What it throws is thrown, and nothing is written.
   *
   * @throws UnavailableError as `changeConfiguration` does, when 200 writers wait in this process, and after 5 s of waiting.
   */
  async change<R>(decide: (present: V) => SnapshotChange<V, R>): Promise<R> {
    const { answer, flush } = await inTurn(this.#connection, () => this.#decideAndWrite(decide));
    await flush();
    return answer;
  }

  async #decideAndWrite<R>(decide: (present: V) => SnapshotChange<V, R>): Promise<Committed<R>> {
    for (;;) {
      const { revision, value } = await this.#present();
      const { answer, write, after } = decide(value);
      if (write === undefined) return { answer, flush: () => Promise.resolve() };
      const written = await committed(this.#connection, async (session) => {
        if ((await this.#revision.current(session)) !== revision) return false;
        await write(session);
        return true;
      });
      if (!written.answer) continue;
      if (after !== undefined) this.#hold({ revision: revision + 1, value: after() });
      return { ...written, answer };
    }
  }

  async #present(): Promise<Held<V>> {
    const revision = await this.#revision.current().catch((error: unknown) => {
      throw asUnavailable(error);
    });
    if (this.#held !== undefined && this.#held.revision >= revision) return this.#held;
    this.#loading ??= this.#reload().finally(() => (this.#loading = undefined));
    const loaded = await this.#loading;
    // Whoever joined a load that had begun before may be behind still.
    return loaded.revision >= revision ? loaded : this.#present();
  }

  async #reload(): Promise<Held<V>> {
    const loaded = await inTransaction(this.#connection, async (session) => ({
      revision: await this.#revision.current(session),
      value: await this.#load(session),
    }));
    return this.#hold(loaded);
  }

  #hold(loaded: Held<V>): Held<V> {
    if (this.#held === undefined || loaded.revision > this.#held.revision) this.#held = loaded;
    return loaded;
  }
}
