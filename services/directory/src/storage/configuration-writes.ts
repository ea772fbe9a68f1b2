import {
  changeConfiguration,
  flushAfter,
  type Announcements,
  type Connection,
  type Revision,
  type Session,
} from '@tocsin/persistence';

export interface ConfigurationWritesDependencies {
  readonly connection: Connection;
  readonly revision: Revision;
  readonly announcements: Announcements;
}

/**
 * Changes of one kind of entity. They happen one after the other, whichever process makes them: those of one process wait for their
 * turn, and each begins with the revision, so what one reads of users and teams still holds when it writes.
 */
export class ConfigurationWrites {
  readonly #connection: Connection;
  readonly #revision: Revision;
  readonly announcements: Announcements;

  constructor({ connection, revision, announcements }: ConfigurationWritesDependencies) {
    this.#connection = connection;
    this.#revision = revision;
    this.announcements = announcements;
  }

  /** @throws UnavailableError as `changeConfiguration` does. */
  async run<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return changeConfiguration(this.#connection, async (session) => {
      await this.join(session);
      return work(session);
    });
  }

  /** Makes the transaction of `session`, which `changeConfiguration` runs, one of these changes, as {@link begin} does. */
  async join(session: Session): Promise<void> {
    flushAfter(session, this.announcements);
    await this.begin(session);
  }

  /** How many changes there were: whatever was read before another number may be old. */
  async revision(): Promise<number> {
    return this.#revision.current();
  }

  /**
   * Makes the transaction of `session` one of these changes. Call it before anything is written. The outbox publishes the change
   * after the commit.
   */
  async begin(session: Session): Promise<void> {
    await this.#revision.bump(session);
  }
}
