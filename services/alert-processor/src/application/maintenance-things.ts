import type { IntegrationState, MaintenanceRule } from '@tocsin/contracts';
import { NotFoundError } from '@tocsin/errors';
import { teamAccess, teamKeyRefused, type TeamOwned } from '@tocsin/key-auth';
import type { ReplicaView } from '@tocsin/messaging';
import type { Configuration } from '../domain/configuration.ts';
import type { Maintenance } from '../domain/maintenance.ts';

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
