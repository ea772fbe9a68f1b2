import {
  ConfigurationCollection,
  ConfigurationSnapshot,
  withMissing,
  type ConfigurationKind,
  type Connection,
  type Session,
} from '@tocsin/mongo';
import {
  changed,
  type Configuration,
  type ConfigurationChange,
  type ConfigurationStore,
  writes,
} from './configuration.ts';
import type { Maintenance } from '../maintenance/maintenance.ts';
import type { NotificationEffects, Policy } from './policy.ts';
import { MAINTENANCES, POLICIES } from '../database.ts';

const NO_EFFECT: Partial<NotificationEffects> = {
  delay: undefined,
  deduplication: undefined,
  autoClose: undefined,
  autoRestart: undefined,
};

const POLICY: ConfigurationKind<Policy> = {
  collection: POLICIES,
  read: ({ _id: id, effects, ...rest }) => ({
    ...withMissing({ teamId: undefined, timeRestriction: undefined }, rest),
    id,
    effects:
      effects.kind === 'alert'
        ? { ...effects, modify: withMissing({ priority: undefined }, effects.modify) }
        : withMissing(NO_EFFECT, effects),
  }),
};

const MAINTENANCE: ConfigurationKind<Maintenance> = {
  collection: MAINTENANCES,
  read: ({ _id: id, ...rest }) => ({
    ...withMissing(
      { teamId: undefined, madeBy: undefined, endsAt: undefined, cancelledAt: undefined, deletedAt: undefined },
      rest,
    ),
    id,
  }),
};

/** Holds all policies and maintenance windows in memory and decides each write on them. */
export class MongoConfigurationStore implements ConfigurationStore {
  readonly #policies: ConfigurationCollection<Policy>;
  readonly #maintenances: ConfigurationCollection<Maintenance>;
  readonly #snapshot: ConfigurationSnapshot<Configuration>;

  constructor(connection: Connection) {
    this.#policies = new ConfigurationCollection(connection, POLICY);
    this.#maintenances = new ConfigurationCollection(connection, MAINTENANCE);
    this.#snapshot = new ConfigurationSnapshot(connection, {
      load: async (session) => ({
        policies: await this.#policies.list({}, session),
        maintenances: await this.#maintenances.list({}, session),
      }),
      catchUp: async (before, ids, session) =>
        changed(before, {
          policies: await this.#policies.changesSince(before.policies, ids, session),
          maintenances: await this.#maintenances.changesSince(before.maintenances, ids, session),
          answer: undefined,
        }),
    });
  }

  current(): Promise<Configuration> {
    return this.#snapshot.current();
  }

  change<R>(decide: (present: Configuration) => ConfigurationChange<R>): Promise<R> {
    return this.#snapshot.change((present) => {
      const change = decide(present);
      if (!writes(change)) return { answer: change.answer };
      return {
        answer: change.answer,
        write: (session) => this.#write(change, session),
        after: () => changed(present, change),
      };
    });
  }

  async #write({ policies = {}, maintenances = {} }: ConfigurationChange<unknown>, session: Session): Promise<void> {
    await this.#policies.write(policies, session);
    await this.#maintenances.write(maintenances, session);
  }
}
