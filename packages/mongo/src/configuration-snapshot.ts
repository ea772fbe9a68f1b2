import { withTimeout, UnavailableError } from '@tocsin/core';
import type { Connection } from 'mongoose';
import { commitChange, withoutOtherWriters, type CommittedChange } from './change-configuration.ts';
import { ConfigurationLog, type ChangedIds } from './configuration-log.ts';
import type { Session } from './connection.ts';
import { NO_ANSWER, orUnavailable } from './failures.ts';
import { Revision } from './revision.ts';
import { inTransaction } from './transaction.ts';

/** The result of a decision. */
export interface SnapshotChange<V, R> {
  readonly answer: R;
  /** Undefined when nothing is to be written. */
  readonly write?: (session: Session) => Promise<void>;
  /** The configuration after `write`. */
  readonly after?: () => V;
}

/** Reads the configuration of a service. Both functions read only through the session. */
export interface SnapshotSource<V> {
  readonly load: (session: Session) => Promise<V>;
  /** `before` with those of `changed` as they are now. */
  readonly catchUp: (before: V, changed: ChangedIds, session: Session) => Promise<V>;
}

/** How long a decision and its write may take, because the other writers of the process wait behind it. Milliseconds. */
const CHANGE_TIMEOUT_MS = 5_000;

interface HeldConfiguration<V> {
  readonly revision: number;
  readonly value: V;
}

/**
 * Holds all configuration of a service in memory, as of one {@link Revision} and in the form that the service needs: compiled
 * policies, schedules by name. Each use costs the database one small read (E11, E13), and after a write a read of what changed.
 * Decisions that depend on many entities are plain functions of the snapshot.
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
  #held: HeldConfiguration<V> | undefined;
  #loading: Promise<HeldConfiguration<V>> | undefined;

  constructor(connection: Connection, source: SnapshotSource<V>) {
    this.#connection = connection;
    this.#source = source;
    this.#log = new ConfigurationLog(connection);
    this.#revision = new Revision(connection);
  }

  /**
   * The configuration with every write that any process has answered before this call.
   *
   * @throws UnavailableError while MongoDB is unavailable.
   */
  async current(): Promise<V> {
    return (await this.#present()).value;
  }

  /**
   * Writes what `decide` returns for the present configuration, through `ConfigurationCollection`s, which note what other processes have
   * to read again. `decide` runs again when another process wrote in between.
   * Where it throws, its error is thrown and nothing is written.
   *
   * The second decision is final, however fast other processes write, because they cannot write while it is made. Only where the
   * database aborts the transaction is there another one.
   *
   * @throws UnavailableError when 200 writers wait in this process, after 5 s of waiting for them, and after another 5 s.
   */
  async change<R>(decide: (present: V) => SnapshotChange<V, R>): Promise<R> {
    const { answer, flush } = await withoutOtherWriters(this.#connection, () => this.#decideAndWrite(decide));
    await flush();
    return answer;
  }

  async #decideAndWrite<R>(decide: (present: V) => SnapshotChange<V, R>): Promise<CommittedChange<R>> {
    const endsAtMs = performance.now() + CHANGE_TIMEOUT_MS;
    const held = await withTimeout(this.#present(), CHANGE_TIMEOUT_MS, () => {
      throw new UnavailableError(NO_ANSWER);
    });
    const first = decide(held.value);
    // A decision that writes nothing needs no transaction.
    if (first.write === undefined) return { answer: first.answer, flush: () => Promise.resolve() };
    const write = (session: Session) => this.#write(session, held, first, decide);
    const written = await commitChange(this.#connection, write, { deadlineMs: endsAtMs - performance.now() });
    const { revision, value, answer } = written.answer;
    if (value !== undefined) this.#hold({ revision, value });
    return { ...written, answer };
  }

  /** Writes `first`, or decides again when the configuration is no longer `held`. */
  async #write<R>(
    session: Session,
    held: HeldConfiguration<V>,
    first: SnapshotChange<V, R>,
    decide: (present: V) => SnapshotChange<V, R>,
  ): Promise<{ readonly revision: number; readonly value: V | undefined; readonly answer: R }> {
    // First of all: until the commit no other process can write what is read after it.
    const revision = await this.#revision.increment(session);
    const isHeld = revision === held.revision + 1;
    const present = isHeld ? held.value : await this.#asOf(revision - 1, session);
    const { answer, write, after } = isHeld ? first : decide(present);
    await write?.(session);
    await this.#log.append(session, revision);
    return { revision, value: write === undefined ? present : after?.(), answer };
  }

  async #present(): Promise<HeldConfiguration<V>> {
    const revision = await orUnavailable(this.#revision.current());
    if (this.#held !== undefined && this.#held.revision >= revision) return this.#held;
    const joined = await this.#load();
    // A load that had begun before may be behind. The second one began later: it counts even where a fail-over took
    // writes back, so this ends.
    return joined.revision >= revision ? joined : this.#load();
  }

  /** Joins the load that is under way. */
  async #load(): Promise<HeldConfiguration<V>> {
    this.#loading ??= this.#reload().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  async #reload(): Promise<HeldConfiguration<V>> {
    const loaded = await inTransaction(this.#connection, async (session) => {
      const revision = await this.#revision.current(session);
      return { revision, value: await this.#asOf(revision, session) };
    });
    return this.#hold(loaded);
  }

  /** The configuration as of `revision`, which is the one that `session` sees. */
  async #asOf(revision: number, session: Session): Promise<V> {
    const held = this.#held;
    if (held === undefined || held.revision > revision) return this.#source.load(session);
    const changed = await this.#log.between(session, held.revision, revision);
    if (changed === undefined) return this.#source.load(session);
    return changed.size === 0 ? held.value : this.#source.catchUp(held.value, changed, session);
  }

  #hold(loaded: HeldConfiguration<V>): HeldConfiguration<V> {
    if (this.#held === undefined || loaded.revision > this.#held.revision) this.#held = loaded;
    return loaded;
  }
}
