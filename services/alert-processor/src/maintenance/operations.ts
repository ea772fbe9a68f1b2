import type { MaintenanceBody, MaintenanceListQuery, MaintenanceRule } from '@tocsin/api';
import { type Clock, ForbiddenError, InvalidError, NotFoundError, UnavailableError } from '@tocsin/core';
import type { IntegrationState } from '@tocsin/events';
import {
  teamKeyRefused,
  type TeamOwned,
  accessTo,
  boundTeam,
  isOfAccount,
  limitHolder,
  type Principal,
  requireWrite,
} from '@tocsin/http';
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
  readonly integrations: Pick<ReplicaView<IntegrationState>, 'get' | 'isDeleted' | 'fetch'>;
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

/** The operations on maintenance windows (part 1, 4.4; P9). The caller's rights are K4, K8 and K12. */
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
  async create({ description, rules, time }: MaintenanceBody, caller: Principal): Promise<SeenMaintenance> {
    const { store, newId } = this.#parts;
    const found = await this.#ofBody(rules, []);
    return store.change((present) => {
      const createdAt = this.#now();
      const lasting = lastingOf(time, createdAt);
      const ended = { cancelledAt: undefined, deletedAt: undefined };
      const things = this.#things(present, found);
      things.check({ rules }, undefined, caller);
      const teamId = things.ownerFor({ rules, teamId: undefined }, caller);
      const madeBy = limitHolder(caller);
      const maintenance = { id: newId(), createdAt, description, teamId, madeBy, ...lasting, ...ended, rules };
      return this.#written(maintenance, present);
    });
  }

  /** @throws NotFoundError when there is none; ForbiddenError when the team neither made it nor owns a thing in it. */
  async get(id: string, caller: Principal): Promise<SeenMaintenance> {
    const present = await this.#parts.store.current();
    const maintenance = existing(present, id);
    const found = await this.#ofWindow(maintenance, caller);
    if (!this.#things(present, found).canRead(maintenance, caller)) throw teamKeyRefused();
    return this.#seen(maintenance);
  }

  /** In order of creation, without those that the key may not read. */
  async list({ type = 'all' }: MaintenanceListQuery, caller: Principal): Promise<readonly SeenMaintenance[]> {
    const present = await this.#parts.store.current();
    const things = this.#things(present);
    return present.maintenances
      .filter((maintenance) => maintenance.deletedAt === undefined && things.canRead(maintenance, caller))
      .map((maintenance) => this.#seen(maintenance))
      .filter(({ status }) => SHOWN[type].includes(status));
  }

  /** @throws as {@link create} and {@link get}; InvalidError unless it is planned. */
  async update(id: string, body: MaintenanceBody, caller: Principal): Promise<SeenMaintenance> {
    const current = await this.#parts.store.current();
    const before = existing(current, id);
    // A caller who may not write is refused before the references of the body are looked up.
    const ofWindow = await this.#ofWindow(before, caller);
    this.#things(current, ofWindow).requireWrite(before, caller);
    const found = new Map([...ofWindow, ...(await this.#ofBody(body.rules, before.rules))]);
    return this.#decide(id, caller, found, (maintenance, now, things) => {
      const changed = replaced(maintenance, body, now);
      if ('refused' in changed) return changed;
      things.check(changed, maintenance, caller);
      // The writer's team becomes the maker, so that the rules affect only things that the writer may write.
      return { ...changed, teamId: things.ownerFor(changed, caller), madeBy: limitHolder(caller) };
    });
  }

  /** @throws as {@link get}; InvalidError unless it is active and `endDate` is in the future. */
  changeEndDate(id: string, endDate: Date, caller: Principal): Promise<SeenMaintenance> {
    return this.#change(id, caller, (maintenance, now) => endingAt(maintenance, endDate, now));
  }

  /** @throws as {@link get}; InvalidError when it is over. */
  async cancel(id: string, caller: Principal): Promise<void> {
    await this.#change(id, caller, cancelled);
  }

  /**
   * Deletes a window, and so ends an active one. It still applies to commands that were accepted before.
   *
   * @throws as {@link get}.
   */
  async remove(id: string, caller: Principal): Promise<void> {
    await this.#change(id, caller, (maintenance, deletedAt) => ({ ...maintenance, deletedAt }));
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

  async #change(
    id: string,
    caller: Principal,
    decide: (maintenance: Maintenance, now: Date) => Maintenance | Refused,
  ): Promise<SeenMaintenance> {
    const found = await this.#ofWindow(existing(await this.#parts.store.current(), id), caller);
    return this.#decide(id, caller, found, decide);
  }

  #decide(
    id: string,
    caller: Principal,
    found: Fetched,
    decide: (maintenance: Maintenance, now: Date, things: MaintenanceThings) => Maintenance | Refused,
  ): Promise<SeenMaintenance> {
    return this.#parts.store.change((present) => {
      const maintenance = existing(present, id);
      const things = this.#things(present, found);
      things.requireWrite(maintenance, caller);
      return this.#written(accepted(decide(maintenance, this.#now(), things)), present);
    });
  }

  #written(maintenance: Maintenance, { maintenances }: Configuration): ConfigurationChange<SeenMaintenance> {
    const removed = makingRoom(maintenances, maintenance, this.#now());
    if (removed === undefined) throw InvalidError.about('rules', tooMany(maintenance));
    return { maintenances: { put: [maintenance], removed }, answer: this.#seen(maintenance) };
  }

  /**
   * Fetches the integrations that a body names and `before` does not. It stops at the first that does not exist, so that a body of made-up
   * ids costs their owner one request.
   */
  async #ofBody(rules: readonly MaintenanceRule[], before: readonly MaintenanceRule[]): Promise<Fetched> {
    const found = new Map<string, TeamOwned | undefined>();
    const known = new Set(integrationsIn(before));
    for (const id of integrationsIn(rules)) {
      if (known.has(id)) continue;
      const integration = await this.#fetch(id);
      found.set(id, integration);
      if (integration === undefined) break;
    }
    return found;
  }

  /**
   * Fetches the integrations of a window that the replica does not have. Of a caller who may change everything none is needed.
   *
   * @throws UnavailableError when their owner does not answer.
   */
  async #ofWindow({ rules }: Maintenance, caller: Principal): Promise<Fetched> {
    if (isOfAccount(caller)) return new Map();
    const ids = [...new Set(integrationsIn(rules))];
    return new Map(await Promise.all(ids.map(async (id) => [id, await this.#fetch(id)] as const)));
  }

  async #fetch(id: string): Promise<TeamOwned | undefined> {
    const integration = await this.#parts.integrations.fetch('id', id);
    return integration && { ownerTeamId: integration.ownerTeamId };
  }

  #things(present: Configuration, found?: Fetched): MaintenanceThings {
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

const integrationsIn = (rules: readonly MaintenanceRule[]): readonly string[] =>
  rules.filter(({ entity }) => entity.type === 'integration').map(({ entity }) => entity.id);

const tooMany = ({ teamId }: Maintenance): string =>
  `${teamId === undefined ? 'The account' : 'A team'} has at most ${MAX_WINDOWS} maintenance windows with ${MAX_RULES} rules, and one key or user makes at most half of them.`;

function accepted(changed: Maintenance | Refused): Maintenance {
  if (!('refused' in changed)) return changed;
  const { refused, field } = changed;
  throw field === undefined
    ? InvalidError.about('maintenanceId', refused)
    : InvalidError.ofFields({ [field]: refused });
}

type Entity = MaintenanceRule['entity'];
type Named = Pick<Maintenance, 'rules' | 'teamId'>;
/** The answers of alert-ingest, by id; undefined for an integration that does not exist. */
type Fetched = ReadonlyMap<string, TeamOwned | undefined>;

/** The owners of what a window may name: policies of one configuration, integrations of a replica. */
export class MaintenanceThings {
  readonly #policies: ReadonlyMap<string, TeamOwned>;
  readonly #integrations: Pick<ReplicaView<IntegrationState>, 'get' | 'isDeleted'>;
  readonly #found: Fetched;

  /** `found` has integrations that were fetched from their owner, because the replica may not have them yet. */
  constructor(
    { policies }: Configuration,
    integrations: Pick<ReplicaView<IntegrationState>, 'get' | 'isDeleted'>,
    found: Fetched = new Map(),
  ) {
    this.#policies = new Map(policies.map(({ id, teamId }) => [id, { ownerTeamId: teamId }]));
    this.#integrations = integrations;
    this.#found = found;
  }

  /**
   * Whether the caller may read a window: where the team of a key owns one thing or made the window (K4, K8). What is not known counts as
   * a thing of another team.
   */
  canRead({ rules, teamId }: Named, caller: Principal): boolean {
    const owned = rules.map(({ entity }) => this.#find(entity)).filter((thing) => typeof thing === 'object');
    return [...owned, { ownerTeamId: teamId }].some((thing) => accessTo(thing, caller) !== 'none');
  }

  /**
   * Checks that the caller may write everything that a window names (K8, K12). A deleted thing does not count; where all are deleted the
   * window is its maker's (P9).
   *
   * @throws ForbiddenError; UnavailableError where it is not known who owns a thing.
   */
  requireWrite(maintenance: Named, caller: Principal): void {
    if (isOfAccount(caller)) return;
    const owners = new Set(this.#owners(maintenance));
    if (caller.kind === 'user' && owners.size > 1 && !owners.has(undefined)) requireWriteOfAll(owners, caller);
    for (const ownerTeamId of owners) requireWrite({ ownerTeamId, action: 'change this maintenance window' }, caller);
  }

  /**
   * The team of a window that the caller writes: the team of the key, or, for a user who may only write for teams, the team that owns
   * everything that it names. Undefined for a window of the account, and for one of several teams, which counts as the account's.
   */
  ownerFor(maintenance: Named, caller: Principal): string | undefined {
    if (isOfAccount(caller)) return undefined;
    const bound = boundTeam(caller);
    if (bound !== undefined) return bound;
    const [owner, ...others] = new Set(this.#owners(maintenance));
    return others.length === 0 ? owner : undefined;
  }

  #owners({ rules, teamId }: Named): readonly (string | undefined)[] {
    const things = rules.map(({ entity }) => {
      const thing = this.#find(entity);
      if (thing === 'unknown') throw ownerIsUnknown(entity);
      return thing;
    });
    const present = things.filter((thing) => thing !== 'deleted');
    return present.length === 0 ? [teamId] : present.map(({ ownerTeamId }) => ownerTeamId);
  }

  /**
   * Checks the things of a window that a caller is about to write. A thing that the window named `before` may be deleted (P9).
   *
   * @throws NotFoundError that names the first thing that does not exist; ForbiddenError when the key's team does not own a thing, or
   *   the person may not write one; UnavailableError where it is not known who owns a thing.
   */
  check({ rules }: Pick<Named, 'rules'>, before: Named | undefined, caller: Principal): void {
    const kept = new Set(before?.rules.map(({ entity }) => nameOf(entity)));
    for (const { entity } of rules) {
      const thing = this.#find(entity);
      const isKept = kept.has(nameOf(entity));
      if (typeof thing === 'object') requireWrite({ ...thing, action: 'put it under maintenance' }, caller);
      if (thing === 'unknown' && !(isKept && isOfAccount(caller))) throw ownerIsUnknown(entity);
      if (thing === 'deleted' && !isKept) throw unknown(entity);
    }
  }

  /** An integration that the replica does not have is not deleted for that: its owner says so, or its topic. */
  #find({ type, id }: Entity): TeamOwned | 'deleted' | 'unknown' {
    if (type === 'policy') return this.#policies.get(id) ?? 'deleted';
    const held = this.#integrations.get(id) ?? this.#found.get(id);
    if (held !== undefined) return { ownerTeamId: held.ownerTeamId };
    return this.#found.has(id) || this.#integrations.isDeleted(id) ? 'deleted' : 'unknown';
  }
}

/** @throws ForbiddenError unless the person may write for every one of `owners`. */
function requireWriteOfAll(owners: ReadonlySet<string | undefined>, caller: Principal): void {
  if ([...owners].every((ownerTeamId) => accessTo({ ownerTeamId }, caller) === 'write')) return;
  throw new ForbiddenError(
    'Only an admin of all teams that own an entity in this maintenance window, or an admin of the account, can change it.',
  );
}

const nameOf = ({ type, id }: Entity): string => `${type} ${id}`;

const unknown = ({ type, id }: Entity): NotFoundError =>
  new NotFoundError(`${type === 'policy' ? 'Policy' : 'Integration'} does not exist with id: ${id}`);

const ownerIsUnknown = ({ id }: Entity): UnavailableError =>
  new UnavailableError(`It is not known yet which team owns integration ${id}. Please try again.`);
