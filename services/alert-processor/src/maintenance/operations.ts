import type { MaintenanceBody, MaintenanceListQuery, MaintenanceRule } from '@tocsin/api';
import { type Clock, InvalidError, NotFoundError } from '@tocsin/core';
import type { IntegrationState } from '@tocsin/events';
import { teamAccess, teamKeyRefused, type TeamOwned } from '@tocsin/http';
import type { ReplicaView } from '@tocsin/kafka';
import type { Configuration, ConfigurationChange, ConfigurationStore } from '../policies/configuration.ts';
import {
  cancelled,
  endedByHandAt,
  endingAt,
  lastingOf,
  type Maintenance,
  maintenanceStatus,
  type MaintenanceStatus,
  makingRoom,
  MAX_RULES,
  MAX_WINDOWS,
  type Refused,
  replaced,
} from './maintenance.ts';

export interface MaintenancesDependencies {
  readonly store: ConfigurationStore;
  readonly integrations: Pick<ReplicaView<IntegrationState>, 'get' | 'fetch'>;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** The most windows that are removed in one step. */
const REMOVED_AT_ONCE = 100;

/** A window as callers see it. */
export interface SeenMaintenance extends Maintenance {
  readonly status: MaintenanceStatus;
}

const SHOWN: Readonly<Record<NonNullable<MaintenanceListQuery['type']>, readonly MaintenanceStatus[]>> = {
  all: ['planned', 'active', 'past', 'cancelled'],
  'non-expired': ['planned', 'active'],
  past: ['past', 'cancelled'],
};

/** The operations on maintenance windows (part 1, 4.4; P9, P14). `teamId` is the team of the caller's key (K4, K8). */
export class Maintenances {
  readonly #parts: MaintenancesDependencies;

  constructor(parts: MaintenancesDependencies) {
    this.#parts = parts;
  }

  /**
   * @throws NotFoundError when a thing in a rule does not exist; ForbiddenError when the key's team does not own one;
   * InvalidError when there are too many windows or rules; UnavailableError when the owner of integrations can not be
   * asked.
   */
  async create({ description, rules, time }: MaintenanceBody, teamId: string | undefined): Promise<SeenMaintenance> {
    const { store, newId } = this.#parts;
    const found = await this.#found(rules, []);
    return store.change((present) => {
      const createdAt = this.#now();
      const lasting = lastingOf(time, createdAt);
      const ended = { cancelledAt: undefined, deletedAt: undefined };
      const maintenance = { id: newId(), createdAt, description, teamId, ...lasting, ...ended, rules };
      this.#things(present, found).check(maintenance, undefined, teamId);
      return this.#written(maintenance, present);
    });
  }

  /** @throws NotFoundError when there is none; ForbiddenError when the team neither made it nor owns a thing in it. */
  async get(id: string, teamId: string | undefined): Promise<SeenMaintenance> {
    const present = await this.#parts.store.current();
    const maintenance = existing(present, id);
    if (this.#things(present).access(maintenance, teamId) === 'none') throw teamKeyRefused();
    return this.#seen(maintenance);
  }

  /** In order of creation, without those that the key may not read. */
  async list({ type = 'all' }: MaintenanceListQuery, teamId: string | undefined): Promise<readonly SeenMaintenance[]> {
    const present = await this.#parts.store.current();
    const things = this.#things(present);
    return present.maintenances
      .filter((maintenance) => maintenance.deletedAt === undefined && things.access(maintenance, teamId) !== 'none')
      .map((maintenance) => this.#seen(maintenance))
      .filter(({ status }) => SHOWN[type].includes(status));
  }

  /** @throws as {@link create} and {@link get}; InvalidError unless it is planned. */
  async update(id: string, body: MaintenanceBody, teamId: string | undefined): Promise<SeenMaintenance> {
    const { maintenances } = await this.#parts.store.current();
    const before = maintenances.find((maintenance) => maintenance.id === id)?.rules ?? [];
    const found = await this.#found(body.rules, before);
    return this.#change(id, teamId, (maintenance, now, present) => {
      const changed = replaced(maintenance, body, now);
      if ('refused' in changed) return changed;
      this.#things(present, found).check(changed, maintenance, teamId);
      // The writer's team becomes the maker, so that the rules reach only as far as that key does.
      return { ...changed, teamId };
    });
  }

  /** @throws as {@link get}; InvalidError unless it is active and `endDate` is in the future. */
  changeEndDate(id: string, endDate: Date, teamId: string | undefined): Promise<SeenMaintenance> {
    return this.#change(id, teamId, (maintenance, now) => endingAt(maintenance, endDate, now));
  }

  /** @throws as {@link get}; InvalidError when it is over. */
  async cancel(id: string, teamId: string | undefined): Promise<void> {
    await this.#change(id, teamId, cancelled);
  }

  /**
   * Deletes a window, and so ends an active one. It still applies to commands that were accepted before.
   *
   * @throws as {@link get}.
   */
  async remove(id: string, teamId: string | undefined): Promise<void> {
    await this.#change(id, teamId, (maintenance, deletedAt) => ({ ...maintenance, deletedAt }));
  }

  /**
   * Erases up to 100 windows that were cancelled or deleted at `until` or before. Returns how many, 0 if none are left.
   * They apply to no command that was accepted since.
   */
  forget(until: Date): Promise<number> {
    return this.#parts.store.change(({ maintenances }) => {
      const ended = maintenances.filter((maintenance) => (endedByHandAt(maintenance) ?? Infinity) <= until);
      const removed = ended.slice(0, REMOVED_AT_ONCE);
      return { maintenances: { removed }, answer: removed.length };
    });
  }

  #change(
    id: string,
    teamId: string | undefined,
    decide: (maintenance: Maintenance, now: Date, present: Configuration) => Maintenance | Refused,
  ): Promise<SeenMaintenance> {
    return this.#parts.store.change((present) => {
      const maintenance = existing(present, id);
      if (this.#things(present).access(maintenance, teamId) !== 'write') throw teamKeyRefused();
      const changed = accepted(decide(maintenance, this.#now(), present));
      return this.#written(changed, present);
    });
  }

  #written(maintenance: Maintenance, { maintenances }: Configuration): ConfigurationChange<SeenMaintenance> {
    const removed = makingRoom(maintenances, maintenance, this.#now());
    if (removed === undefined) throw InvalidError.about('rules', tooMany(maintenance));
    return { maintenances: { put: [maintenance], removed }, answer: this.#seen(maintenance) };
  }

  /**
   * Fetches the integrations of `rules` that `before` does not name. It stops at the first that does not exist, so that
   * a body of made-up ids costs their owner one request.
   */
  async #found(
    rules: readonly MaintenanceRule[],
    before: readonly MaintenanceRule[],
  ): Promise<ReadonlyMap<string, TeamOwned>> {
    const found = new Map<string, TeamOwned>();
    const known = new Set(before.map(({ entity }) => entity.id));
    for (const { entity } of rules) {
      if (entity.type !== 'integration' || known.has(entity.id)) continue;
      const integration = await this.#parts.integrations.fetch('id', entity.id);
      if (integration === undefined) break;
      found.set(entity.id, { ownerTeamId: integration.ownerTeamId });
    }
    return found;
  }

  #things(present: Configuration, found?: ReadonlyMap<string, TeamOwned>): MaintenanceThings {
    return new MaintenanceThings(present, this.#parts.integrations, found);
  }

  #seen(maintenance: Maintenance): SeenMaintenance {
    return { ...maintenance, status: maintenanceStatus(maintenance, this.#now()) };
  }

  #now(): Date {
    return this.#parts.clock.now();
  }
}

function existing({ maintenances }: Configuration, id: string): Maintenance {
  const found = maintenances.find((maintenance) => maintenance.id === id);
  if (found !== undefined && found.deletedAt === undefined) return found;
  throw new NotFoundError(`Maintenance does not exist with id: ${id}`);
}

const tooMany = ({ teamId }: Maintenance): string =>
  `${teamId === undefined ? 'The account' : 'A team'} has at most ${MAX_WINDOWS} maintenance windows with ${MAX_RULES} rules.`;

function accepted(changed: Maintenance | Refused): Maintenance {
  if (!('refused' in changed)) return changed;
  const { refused, field } = changed;
  throw field === undefined
    ? InvalidError.about('maintenanceId', refused)
    : InvalidError.ofFields({ [field]: refused });
}

type Entity = MaintenanceRule['entity'];
type Named = Pick<Maintenance, 'rules' | 'teamId'>;

/** The owners of what a window may name: policies of one configuration, integrations of a replica. */
export class MaintenanceThings {
  readonly #policies: ReadonlyMap<string, TeamOwned>;
  readonly #integrations: Pick<ReplicaView<IntegrationState>, 'get'>;
  readonly #found: ReadonlyMap<string, TeamOwned>;

  /** `found` has integrations that were fetched from their owner, because the replica may lack them. */
  constructor(
    { policies }: Configuration,
    integrations: Pick<ReplicaView<IntegrationState>, 'get'>,
    found: ReadonlyMap<string, TeamOwned> = new Map(),
  ) {
    this.#policies = new Map(policies.map(({ id, teamId }) => [id, { ownerTeamId: teamId }]));
    this.#integrations = integrations;
    this.#found = found;
  }

  /**
   * What a team's key may do with a window: write if the team owns everything that it names, read if the team owns one
   * thing or made the window (K4, K8). A thing that is gone counts as the maker's (P14).
   */
  access({ rules, teamId: madeBy }: Named, teamId: string | undefined): ReturnType<typeof teamAccess> {
    if (teamId === undefined) return 'write';
    const owners = rules.map(({ entity }) => (this.#find(entity) ?? { ownerTeamId: madeBy }).ownerTeamId);
    if (owners.every((owner) => owner === teamId)) return 'write';
    return owners.includes(teamId) || madeBy === teamId ? 'read' : 'none';
  }

  /**
   * Checks the things of a window that a key is about to write. A thing that the window named `before` may be gone
   * (P14).
   *
   * @throws NotFoundError that names the first thing that does not exist; ForbiddenError when the key's team does not
   * own a thing.
   */
  check({ rules }: Named, before: Named | undefined, teamId: string | undefined): void {
    const kept = new Set(before?.rules.map(({ entity }) => nameOf(entity)));
    for (const { entity } of rules) {
      const thing = this.#find(entity);
      if (thing !== undefined && teamAccess(thing, teamId) !== 'write') throw teamKeyRefused();
      if (thing === undefined && !kept.has(nameOf(entity))) throw unknown(entity);
    }
  }

  #find({ type, id }: Entity): TeamOwned | undefined {
    if (type === 'policy') return this.#policies.get(id);
    const held = this.#integrations.get(id);
    return held === undefined ? this.#found.get(id) : { ownerTeamId: held.ownerTeamId };
  }
}

const nameOf = ({ type, id }: Entity): string => `${type} ${id}`;

const unknown = ({ type, id }: Entity): NotFoundError =>
  new NotFoundError(`${type === 'policy' ? 'Policy' : 'Integration'} does not exist with id: ${id}`);
