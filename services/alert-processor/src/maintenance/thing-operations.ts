import type { MaintenanceRule } from '@tocsin/api';
import { ForbiddenError, NotFoundError, UnavailableError } from '@tocsin/core';
import type { IntegrationState } from '@tocsin/events';
import { accessTo, boundTeam, isOfAccount, type Principal, requireWrite, type TeamOwned } from '@tocsin/http';
import type { ReplicaView } from '@tocsin/kafka';
import type { Configuration } from '../policies/configuration.ts';
import type { Maintenance } from './maintenance.ts';

type Entity = MaintenanceRule['entity'];
type Named = Pick<Maintenance, 'rules' | 'teamId'>;
/** The answers of alert-ingest, by id; undefined for an integration that does not exist. */
export type Fetched = ReadonlyMap<string, TeamOwned | undefined>;

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
