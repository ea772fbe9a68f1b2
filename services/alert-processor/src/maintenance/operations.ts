import type { MaintenanceBody, MaintenanceListQuery, MaintenanceRule } from '@tocsin/api';
import { type Clock, InvalidError, NotFoundError } from '@tocsin/core';
import type { IntegrationState } from '@tocsin/events';
import {
  type ImportResult,
  isOfAccount,
  limitHolder,
  type Principal,
  teamKeyRefused,
  type TeamOwned,
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
  reimported,
  replaced,
} from './maintenance.ts';
import { type Fetched, MaintenanceThings } from './thing-operations.ts';

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
  async create(body: MaintenanceBody, caller: Principal): Promise<SeenMaintenance> {
    const { store, newId } = this.#parts;
    const found = await this.#ofBody(body.rules, []);
    return store.change((present) =>
      this.#written(this.#created(newId(), body, this.#things(present, found), caller), present),
    );
  }

  /**
   * Creates the window of another account with its id, or replaces it as {@link reimported} says. Only keys of the account may do that (I8).
   *
   * @throws as {@link create}, and InvalidError where the window differs from the present one and is no longer planned.
   */
  async put(id: string, body: MaintenanceBody, caller: Principal): Promise<ImportResult> {
    const before = present(await this.#parts.store.current(), id);
    const found = await this.#ofBody(body.rules, before?.rules ?? []);
    return this.#parts.store.change((configuration) => {
      const window = present(configuration, id);
      const things = this.#things(configuration, found);
      if (window === undefined) return this.#put('Created', this.#created(id, body, things, caller), configuration);
      const next = accepted(reimported(window, body, this.#now()));
      if (next === window) return { answer: 'Unchanged' };
      things.check(next, window, caller);
      return this.#put('Updated', next, configuration);
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

  /** The window that `body` describes, once its things are checked. */
  #created(
    id: string,
    { description, rules, time }: MaintenanceBody,
    things: MaintenanceThings,
    caller: Principal,
  ): Maintenance {
    things.check({ rules }, undefined, caller);
    const createdAt = this.#now();
    const teamId = things.ownerFor({ rules, teamId: undefined }, caller);
    const ended = { cancelledAt: undefined, deletedAt: undefined };
    return {
      id,
      createdAt,
      description,
      teamId,
      madeBy: limitHolder(caller),
      ...lastingOf(time, createdAt),
      ...ended,
      rules,
    };
  }

  #put(
    answer: ImportResult,
    maintenance: Maintenance,
    configuration: Configuration,
  ): ConfigurationChange<ImportResult> {
    return { ...this.#written(maintenance, configuration), answer };
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

/** The window with this id, unless it is deleted. */
const present = ({ maintenances }: Configuration, id: string): Maintenance | undefined =>
  maintenances.find((maintenance) => maintenance.id === id && maintenance.deletedAt === undefined);

function existing(configuration: Configuration, id: string): Maintenance {
  const found = present(configuration, id);
  if (found !== undefined) return found;
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
