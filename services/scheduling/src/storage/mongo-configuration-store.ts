import type { EscalationState, ScheduleState, Version } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import { inTransaction, isTransient, Revision, type Connection, type Session } from '@tocsin/persistence';
import {
  Catalogue,
  changed,
  configurationOf,
  EMPTY_CONFIGURATION,
  nextVersion,
  writes,
  type Change,
  type Configuration,
  type Writes,
} from '../domain/configuration.ts';
import type { Escalation } from '../domain/escalation.ts';
import type { ForwardingRule } from '../domain/forwarding.ts';
import type { Schedule } from '../domain/schedule.ts';
import type { ConfigurationStore } from '../ports/configuration-store.ts';
import type { MongoCatalogue, MongoDocuments } from './mongo-catalogue.ts';

/** Where changes are announced: `StateOutbox` is one. */
interface Announcements {
  changed(session: Session, id: string): Promise<void>;
  deleted(session: Session, id: string, version: Version): Promise<void>;
  flush(): Promise<void>;
}

export interface MongoConfigurationStoreOptions {
  readonly connection: Connection;
  readonly schedules: MongoCatalogue<Schedule, ScheduleState>;
  readonly escalations: MongoCatalogue<Escalation, EscalationState>;
  readonly forwardingRules: MongoDocuments<ForwardingRule>;
  readonly announcements: { readonly schedules: Announcements; readonly escalations: Announcements };
}

interface Snapshot {
  readonly revision: number;
  readonly configuration: Configuration;
}

/** How long a writer waits for its turn at most, in milliseconds: an outage must not be outlasted by a queue. */
const LONGEST_WAIT_MS = 5_000;
/** Writers that wait for their turn at most; more would only wait for an answer that nobody expects any more. */
const MOST_WAITING = 200;

/**
 * Holds the whole configuration in memory as of one revision of the database and reloads it when it is behind. A write
 * counts only if the revision is still the one on which it was decided, so writers of all replicas go one after the other.
 */
export class MongoConfigurationStore implements ConfigurationStore {
  readonly #options: MongoConfigurationStoreOptions;
  readonly #revision: Revision;
  #held: Snapshot = { revision: -1, configuration: EMPTY_CONFIGURATION };
  #loading: Promise<Snapshot> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(options: MongoConfigurationStoreOptions) {
    this.#options = options;
    this.#revision = new Revision(options.connection);
  }

  async current(): Promise<Configuration> {
    return (await this.#snapshot()).configuration;
  }

  async change<T>(decide: (present: Configuration) => Change<T>): Promise<T> {
    const answer = await this.#inTurn(() => this.#decideAndWrite(decide));
    const { schedules, escalations } = this.#options.announcements;
    await Promise.all([schedules.flush(), escalations.flush()]);
    return answer;
  }

  /** Writers of one process queue up here rather than meet in the database, where the later one would start anew. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const tooMany = () => new UnavailableError('Too many changes wait to be written.');
    if (this.#waiting >= MOST_WAITING) return Promise.reject(tooMany());
    this.#waiting += 1;
    const queuedAtMs = performance.now();
    const mine = this.#last.then(() => {
      if (performance.now() - queuedAtMs > LONGEST_WAIT_MS) throw tooMany();
      return work();
    });
    this.#last = mine.catch(() => undefined).finally(() => (this.#waiting -= 1));
    return mine;
  }

  async #decideAndWrite<T>(decide: (present: Configuration) => Change<T>): Promise<T> {
    for (;;) {
      const snapshot = await this.#snapshot();
      const change = decide(snapshot.configuration);
      if (!writes(change)) return change.answer;
      if (!(await this.#write(change, snapshot.revision))) continue;
      this.#hold({ revision: snapshot.revision + 1, configuration: changed(snapshot.configuration, change) });
      return change.answer;
    }
  }

  /** False, with nothing written, when the configuration is no longer that of `revision`. */
  async #write(change: Change<unknown>, revision: number): Promise<boolean> {
    const { schedules = {}, escalations = {}, forwardingRules = {} } = change;
    const { connection, announcements, ...catalogues } = this.#options;
    return inTransaction(connection, async (session) => {
      if ((await this.#revision.current(session)) !== revision) return false;
      await catalogues.schedules.write(schedules, session);
      await catalogues.escalations.write(escalations, session);
      await catalogues.forwardingRules.write(forwardingRules, session);
      await announce(announcements.schedules, schedules, session);
      await announce(announcements.escalations, escalations, session);
      await this.#revision.bump(session);
      return true;
    });
  }

  async #snapshot(): Promise<Snapshot> {
    const revision = await this.#readRevision();
    if (this.#held.revision >= revision) return this.#held;
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined));
    const loaded = await this.#loading;
    // Whoever joined a load that had begun before may be behind still.
    return loaded.revision >= revision ? loaded : this.#snapshot();
  }

  async #readRevision(): Promise<number> {
    try {
      return await this.#revision.current();
    } catch (error) {
      throw isTransient(error) ? new UnavailableError('The database is away.', { cause: error }) : error;
    }
  }

  async #load(): Promise<Snapshot> {
    const { connection, schedules, escalations, forwardingRules } = this.#options;
    const loaded = await inTransaction(connection, async (session) => ({
      revision: await this.#revision.current(session),
      configuration: configurationOf({
        schedules: new Catalogue(await schedules.all(session)),
        escalations: new Catalogue(await escalations.all(session)),
        forwardingRules: new Catalogue(await forwardingRules.all(session)),
      }),
    }));
    this.#hold(loaded);
    return loaded;
  }

  #hold(snapshot: Snapshot): void {
    if (snapshot.revision > this.#held.revision) this.#held = snapshot;
  }
}

async function announce<T extends { id: string; version: Version }>(
  announcements: Announcements,
  { put = [], removed = [] }: Writes<T>,
  session: Session,
): Promise<void> {
  for (const { id } of put) await announcements.changed(session, id);
  for (const { id, version } of removed) await announcements.deleted(session, id, nextVersion(version));
}
