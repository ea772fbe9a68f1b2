import {
  ConfigurationCollection,
  ConfigurationSnapshot,
  type Announcements,
  type Connection,
  type Session,
} from '@tocsin/persistence';
import {
  Catalogue,
  changed,
  configurationOf,
  writesAnything,
  type Change,
  type Configuration,
} from '../domain/configuration.ts';
import type { Escalation } from '../domain/escalation.ts';
import type { ForwardingRule } from '../domain/forwarding.ts';
import type { Schedule } from '../domain/schedule.ts';
import { touchedSchedules, type TouchedSchedules } from '../domain/shift-notices/touched-schedules.ts';
import type { ConfigurationStore } from '../ports/configuration-store.ts';
import { ESCALATIONS, FORWARDING_RULES, SCHEDULES } from './configuration-kinds.ts';

/** Notices of shifts. */
interface ShiftNotices {
  /** Makes the notices of `schedules` follow a change, in the transaction of the change. */
  touched(schedules: TouchedSchedules, session: Session): Promise<void>;
}

/** Holds the whole configuration in memory and decides each write on it. */
export class MongoConfigurationStore implements ConfigurationStore {
  readonly #schedules: ConfigurationCollection<Schedule>;
  readonly #escalations: ConfigurationCollection<Escalation>;
  readonly #forwardingRules: ConfigurationCollection<ForwardingRule>;
  readonly #snapshot: ConfigurationSnapshot<Configuration>;
  readonly #shiftNotices: ShiftNotices;

  /** `shiftNotices` is called in the transaction of each change with the schedules whose final timelines may have changed. */
  constructor(
    connection: Connection,
    announcements: { readonly schedules: Announcements; readonly escalations: Announcements },
    shiftNotices: ShiftNotices,
  ) {
    this.#shiftNotices = shiftNotices;
    this.#schedules = new ConfigurationCollection(connection, SCHEDULES, announcements.schedules);
    this.#escalations = new ConfigurationCollection(connection, ESCALATIONS, announcements.escalations);
    this.#forwardingRules = new ConfigurationCollection(connection, FORWARDING_RULES);
    this.#snapshot = new ConfigurationSnapshot(connection, {
      load: async (session) =>
        configurationOf({
          schedules: new Catalogue(await this.#schedules.list({}, session)),
          escalations: new Catalogue(await this.#escalations.list({}, session)),
          forwardingRules: new Catalogue(await this.#forwardingRules.list({}, session)),
        }),
      catchUp: async (before, ids, session) =>
        changed(before, {
          schedules: await this.#schedules.changesSince(before.schedules.all(), ids, session),
          escalations: await this.#escalations.changesSince(before.escalations.all(), ids, session),
          forwardingRules: await this.#forwardingRules.changesSince(before.forwardingRules.all(), ids, session),
          answer: undefined,
        }),
    });
  }

  current(): Promise<Configuration> {
    return this.#snapshot.current();
  }

  change<T>(decide: (present: Configuration) => Change<T>): Promise<T> {
    return this.#snapshot.change((present) => {
      const change = decide(present);
      if (!writesAnything(change)) return { answer: change.answer };
      return {
        answer: change.answer,
        write: async (session) => {
          await this.#write(change, session);
          await this.#shiftNotices.touched(touchedSchedules(present, change), session);
        },
        after: () => changed(present, change),
      };
    });
  }

  async #write(
    { schedules = {}, escalations = {}, forwardingRules = {} }: Change<unknown>,
    session: Session,
  ): Promise<void> {
    await this.#schedules.write(schedules, session);
    await this.#escalations.write(escalations, session);
    await this.#forwardingRules.write(forwardingRules, session);
  }
}
