import { ForbiddenError, NotFoundError } from '@tocsin/errors';
import type { RoutingUse, Team, TeamReference, TeamSummary } from '../domain/team.ts';
import type { TeamStore } from '../ports/team-store.ts';
import type { UserStore } from '../ports/user-store.ts';

/** A team whose members are known by name. */
export interface NamedTeam {
  readonly team: Team;
  readonly usernames: ReadonlyMap<string, string>;
}

export interface TeamsDependencies {
  readonly teams: TeamStore;
  readonly users: UserStore;
}

/** What can be read of teams. `boundTo` is the team of a caller whose key belongs to one (K4). */
export class Teams {
  readonly #teams: TeamStore;
  readonly #users: UserStore;

  constructor({ teams, users }: TeamsDependencies) {
    this.#teams = teams;
    this.#users = users;
  }

  /**
   * @throws NotFoundError when there is no such team.
   * @throws ForbiddenError when the caller is bound to another one (part 1, 7).
   */
  async get(reference: TeamReference, boundTo: string | undefined): Promise<NamedTeam> {
    const team = await this.#teams.find(reference);
    if (team === undefined) throw new NotFoundError(`Team does not exist with ${describeTeam(reference)}`);
    if (boundTo !== undefined && boundTo !== team.id)
      throw new ForbiddenError('Team API Keys are not authorized to perform this action.');
    const names = await this.#users.names(team.members.map(({ userId }) => ({ id: userId })));
    return { team, usernames: new Map(names.map(({ id, username }) => [id, username])) };
  }

  /** All teams by creation, or the caller's own alone. */
  async list(boundTo: string | undefined): Promise<readonly TeamSummary[]> {
    const teams = await this.#teams.list();
    return boundTo === undefined ? teams : teams.filter(({ id }) => id === boundTo);
  }

  /** One sentence for each routing rule that notifies the schedule or escalation (S12). */
  async usesOf(type: 'schedule' | 'escalation', id: string, exceptTeamId?: string): Promise<readonly string[]> {
    return (await this.#teams.routingUses(type, id, exceptTeamId)).map(describeUse);
  }
}

export const describeTeam = (reference: TeamReference): string =>
  'id' in reference ? `id: ${reference.id}` : `name: ${reference.name}`;

export const describeUse = ({ teamName, ruleName }: RoutingUse): string =>
  `Routing rule [${ruleName}] of team [${teamName}] notifies it.`;
