import type { EscalationState, ScheduleState } from '@tocsin/events';
import {
  type AnnouncedKind,
  type Announcements,
  ConfigurationCollection,
  type ConfigurationKind,
  ConfigurationSnapshot,
  type Connection,
  type IndexPlan,
  type Session,
  withMissing,
} from '@tocsin/mongo';
import { type Escalation, escalationMessage } from '../escalations/escalation.ts';
import type { ForwardingRule } from '../forwarding/forwarding.ts';
import { type Schedule, scheduleMessage } from '../schedules/schedule.ts';
import { touchedSchedules, type TouchedSchedules } from '../shift-notices/touched-schedules.ts';
import {
  Catalogue,
  type Change,
  applyChange,
  type Configuration,
  type ConfigurationAccess,
  configurationOf,
  hasWrites,
  type Writes,
} from './configuration.ts';

/** Notices of shifts, whose store is of another noun. */
interface ShiftNotices {
  /** Makes the notices of `schedules` due now, in the transaction of the change that touches them. */
  makeDue(schedules: TouchedSchedules, session: Session): Promise<void>;
}

/** Holds the whole configuration in memory and decides each write on it. */
export class ConfigurationStore implements ConfigurationAccess {
  readonly #schedules: ConfigurationCollection<Schedule>;
  readonly #escalations: ConfigurationCollection<Escalation>;
  readonly #forwardingRules: ConfigurationCollection<ForwardingRule>;
  readonly #snapshot: ConfigurationSnapshot<Configuration>;
  readonly #shiftNotices: ShiftNotices;
  readonly #announcements: AnnouncementsByKind;

  /** `shiftNotices` is called in the transaction of each change with the schedules whose final timelines may have changed. */
  constructor(connection: Connection, announcements: AnnouncementsByKind, shiftNotices: ShiftNotices) {
    this.#announcements = announcements;
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
        applyChange(before, {
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
      if (!hasWrites(change)) return { answer: change.answer };
      let written: Change<T> = change;
      return {
        answer: change.answer,
        write: async (session) => {
          written = await this.#afterRemovals(present, change, session);
          await this.#write(written, session);
          await this.#shiftNotices.makeDue(touchedSchedules(present, change), session);
        },
        after: () => applyChange(present, written),
      };
    });
  }

  /** `change`, with later versions for new schedules and escalations whose ids deleted ones had. */
  async #afterRemovals<T>(present: Configuration, change: Change<T>, session: Session): Promise<Change<T>> {
    const { schedules, escalations } = this.#announcements;
    return {
      ...change,
      schedules: await withVersions(schedules, change.schedules, present.schedules, session),
      escalations: await withVersions(escalations, change.escalations, present.escalations, session),
    };
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

interface AnnouncementsByKind {
  readonly schedules: Announcements;
  readonly escalations: Announcements;
}

async function withVersions<T extends Schedule | Escalation>(
  announcements: Announcements,
  { put = [], removed = [] }: Writes<T> = {},
  present: Catalogue<T>,
  session: Session,
): Promise<Writes<T>> {
  const written: T[] = [];
  for (const entity of put) {
    const { id, version } = entity;
    const isNew = present.get(id) === undefined;
    written.push(isNew ? { ...entity, version: await announcements.versionOfNew(session, id, version) } : entity);
  }
  return { put: written, removed };
}

// No kind has `conflict`: a decision on the snapshot finds a duplicate name before the index does.

export const SCHEDULES: AnnouncedKind<Schedule, ScheduleState> = {
  collection: 'schedules',
  read: ({ _id: id, rotations, overrides, ...rest }) => ({
    ...withMissing({ ownerTeamId: undefined }, rest),
    id,
    rotations: rotations.map((rotation) => withMissing({ endAt: undefined, timeRestriction: undefined }, rotation)),
    overrides: overrides.map((override) => withMissing({ rotationIds: undefined }, override)),
  }),
  message: scheduleMessage,
};

export const ESCALATIONS: AnnouncedKind<Escalation, EscalationState> = {
  collection: 'escalations',
  read: ({ _id: id, ...rest }) => ({ ...withMissing({ ownerTeamId: undefined, repeat: undefined }, rest), id }),
  message: escalationMessage,
};

const FORWARDING_RULES: ConfigurationKind<ForwardingRule> = {
  collection: 'forwarding_rules',
  read: ({ _id: id, ...rest }) => ({ ...withMissing({ alias: undefined }, rest), id }),
};

/** The indexes that the service's configuration needs. */
export const configurationIndexes: readonly IndexPlan[] = [
  ...['schedules', 'escalations', 'forwarding_rules'].map((collection) => ({
    collection,
    keys: { createdAt: 1, _id: 1 } as const,
    serves: 'all of them in the order of their creation, without a sort in memory',
  })),
  { collection: 'schedules', keys: { name: 1 }, options: { unique: true }, serves: 'no two schedules of one name' },
  { collection: 'escalations', keys: { name: 1 }, options: { unique: true }, serves: 'no two escalations of one name' },
  {
    collection: 'forwarding_rules',
    keys: { alias: 1 },
    options: { unique: true, partialFilterExpression: { alias: { $type: 'string' } } },
    serves: 'no two forwarding rules of one alias; most have none',
  },
];
