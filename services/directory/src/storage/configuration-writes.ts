import type { Version } from '@tocsin/contracts';
import { inTransaction, inTurn, type Connection, type Revision, type Session } from '@tocsin/persistence';

/** Announces states of one kind of entity: `StateOutbox` is one. */
export interface StateChanges {
  changed(session: Session, id: string): Promise<void>;
  deleted(session: Session, id: string, version: Version): Promise<void>;
  /** Publishes what was committed, now if that is possible; never throws. */
  flush(): Promise<void>;
}

export interface ConfigurationWritesDependencies {
  readonly connection: Connection;
  readonly revision: Revision;
  readonly changes: StateChanges;
}

/**
 * Changes of one kind of entity. They happen one after the other, whichever process makes them: those of one process wait for their
 * turn, and each begins with the revision, so what one reads of users and teams still holds when it writes.
 */
export class ConfigurationWrites {
  readonly #connection: Connection;
  readonly #revision: Revision;
  readonly changes: StateChanges;

  constructor({ connection, revision, changes }: ConfigurationWritesDependencies) {
    this.#connection = connection;
    this.#revision = revision;
    this.changes = changes;
  }

  /** @throws UnavailableError when the database does not answer in time, or too many changes wait in this process. */
  async run<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const change = async (session: Session): Promise<T> => {
      await this.begin(session);
      return work(session);
    };
    const outcome = await inTurn(this.#connection, () => inTransaction(this.#connection, change));
    await this.changes.flush();
    return outcome;
  }

  /** How many changes there were: whatever was read before another number may be old. */
  async revision(): Promise<number> {
    return this.#revision.current();
  }

  /**
   * Makes a transaction that somebody else has opened one of these changes; call it before anything is written. Whoever
   * opened it flushes `changes` after the commit.
   */
  async begin(session: Session): Promise<void> {
    await this.#revision.bump(session);
  }
}
