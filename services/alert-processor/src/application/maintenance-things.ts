import type { IntegrationState, MaintenanceRule } from '@tocsin/contracts';
import { NotFoundError } from '@tocsin/errors';
import { teamAccess, teamKeyRefused, type TeamOwned } from '@tocsin/key-auth';
import type { ReplicaView } from '@tocsin/messaging';
import type { Configuration } from '../domain/configuration.ts';
import type { Maintenance } from '../domain/maintenance.ts';

type Entity = MaintenanceRule['entity'];
type Named = Pick<Maintenance, 'rules' | 'teamId'>;

/** Whose each thing is that a window may name: policies of one configuration, integrations of a replica. */
export class MaintenanceThings {
  readonly #policies: ReadonlyMap<string, TeamOwned>;
  readonly #integrations: Pick<ReplicaView<IntegrationState>, 'get'>;
  readonly #found: ReadonlyMap<string, TeamOwned>;

  /** `found` are the integrations that were asked for and that the replica may lack. */
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
   * What the key of a team may do with a window: all where every thing of it is the team's, read where one is or where the team
   * made it (K4, K8). A thing that is gone counts as the maker's (P14).
   */
  access({ rules, teamId: madeBy }: Named, teamId: string | undefined): ReturnType<typeof teamAccess> {
    if (teamId === undefined) return 'write';
    const owners = rules.map(({ entity }) => (this.#find(entity) ?? { ownerTeamId: madeBy }).ownerTeamId);
    if (owners.every((owner) => owner === teamId)) return 'write';
    return owners.includes(teamId) || madeBy === teamId ? 'read' : 'none';
  }

  /**
   * Checks what a key is about to write, but for the things that the window names `before`: one that is gone stays (P14).
   *
   * @throws NotFoundError that names the first thing that does not exist; ForbiddenError where one is not the team's of the key.
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
