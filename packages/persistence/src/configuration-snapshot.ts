import type { Connection } from 'mongoose';
import { committed, inTurn, type Committed } from './change-configuration.ts';
import { ConfigurationLog, type ChangedIds } from './configuration-log.ts';
import type { Session } from './connection.ts';
import { Deadline } from './deadline.ts';
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

/** How a service reads its configuration. Each reads through its session alone. */
export interface SnapshotSource<V> {
  readonly load: (session: Session) => Promise<V>;
  /** `before` with those of `changed` as they are now. */
  readonly catchUp: (before: V, changed: ChangedIds, session: Session) => Promise<V>;
}

/** How long deciding and writing take at most, once it is the writer's turn: the writers of the process wait behind it. */
const LONGEST_CHANGE_MS = 5_000;

interface Held<V> {
  readonly revision: number;
  readonly value: V;
}

/**
 * Holds what a service makes of all its configuration, in memory, as of one {@link Revision}: policies compiled, schedules by
 * name. Reading it costs the database one small read (E11, E13), and after a write what that changed. Decisions that depend on many entities are plain functions of it.
 *
 * @example
 * const snapshot = new ConfigurationSnapshot(connection, {
 *   load: (session) => policies.list({}, session),
 *   catchUp: async (before, changed, session) => after(before, await policies.changesSince(before, changed, session)),
 * });
 * const present = await snapshot.current();
 */
export class ConfigurationSnapshot<V> {
  readonly #connection: Connection;
  readonly #source: SnapshotSource<V>;
  readonly #log: ConfigurationLog;
  readonly #revision: Revision;
  #held: Held<V> | undefined;
  #loading: Promise<Held<V>> | undefined;

  /** What is written in `change` is written by `ConfigurationCollection`s: they note what the other replicas have to read. */
  constructor(connection: Connection, source: SnapshotSource<V>) {
    this.#connection = connection;
    this.#source = source;
    this.#log = new ConfigurationLog(connection);
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
   * However fast other replicas write, the second decision counts: they cannot write while it is made. Only a transaction that
   * the database breaks off makes another one necessary.
   *
   * @throws UnavailableError when 200 writers wait in this process, after 5 s of waiting for them, and after another 5 s.
   */
  async change<R>(decide: (present: V) => SnapshotChange<V, R>): Promise<R> {
    const { answer, flush } = await inTurn(this.#connection, () => this.#decideAndWrite(decide));
    await flush();
    return answer;
  }

  async #decideAndWrite<R>(decide: (present: V) => SnapshotChange<V, R>): Promise<Committed<R>> {
    const deadline = new Deadline(LONGEST_CHANGE_MS);
    try {
      const held = await deadline.guard(this.#present());
      const first = decide(held.value);
      // What is refused, or changes nothing, holds nobody up.
      if (first.write === undefined) return { answer: first.answer, flush: () => Promise.resolve() };
      const write = (session: Session) => this.#write(session, held, first, decide);
      const written = await committed(this.#connection, write, { deadlineMs: deadline.remainingMs() });
      const { revision, value, answer } = written.answer;
      if (value !== undefined) this.#hold({ revision, value });
      return { ...written, answer };
    } finally {
      deadline.clear();
    }
  }

  /** Writes `first`, or what is decided anew when the configuration is not `held` any more. */
  async #write<R>(
    session: Session,
    held: Held<V>,
    first: SnapshotChange<V, R>,
    decide: (present: V) => SnapshotChange<V, R>,
  ): Promise<{ readonly revision: number; readonly value: V | undefined; readonly answer: R }> {
    // First of all: what is read after it stays as it is until the commit.
    const revision = await this.#revision.bump(session);
    const isHeld = revision === held.revision + 1;
    const present = isHeld ? held.value : await this.#asOf(revision - 1, session);
    const { answer, write, after } = isHeld ? first : decide(present);
    await write?.(session);
    await this.#log.append(session, revision);
    return { revision, value: write === undefined ? present : after?.(), answer };
  }

  async #present(): Promise<Held<V>> {
    const revision = await this.#revision.current().catch((error: unknown) => {
      throw asUnavailable(error);
    });
    if (this.#held !== undefined && this.#held.revision >= revision) return this.#held;
    const joined = await this.#load();
    // A load that had begun before may be behind. The second one began later: it counts even where a fail-over took
    // writes back, so this ends.
    return joined.revision >= revision ? joined : this.#load();
  }

  /** Joins the load that is under way. */
  async #load(): Promise<Held<V>> {
    this.#loading ??= this.#reload().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  async #reload(): Promise<Held<V>> {
    const loaded = await inTransaction(this.#connection, async (session) => {
      const revision = await this.#revision.current(session);
      return { revision, value: await this.#asOf(revision, session) };
    });
    return this.#hold(loaded);
  }

  /** The configuration as of `revision`, the one that `session` sees. */
  async #asOf(revision: number, session: Session): Promise<V> {
    const held = this.#held;
    if (held === undefined || held.revision > revision) return this.#source.load(session);
    const changed = await this.#log.between(session, held.revision, revision);
    if (changed === undefined) return this.#source.load(session);
    return changed.size === 0 ? held.value : this.#source.catchUp(held.value, changed, session);
  }

  #hold(loaded: Held<V>): Held<V> {
    if (this.#held === undefined || loaded.revision > this.#held.revision) this.#held = loaded;
    return loaded;
  }
}
