import type { TeamLogQuery } from '@tocsin/contracts';
import { InvalidError } from '@tocsin/errors';
import type { Reference } from '../domain/reference.ts';
import type { RoutingUse, Team, TeamSummary } from '../domain/team.ts';
import { formatLogPosition, parseLogPosition, type TeamLogPosition } from '../domain/team-log.ts';
import type { TeamLogLine, TeamStore } from '../ports/team-store.ts';
import type { UserStore } from '../ports/user-store.ts';
import type { TeamCaller, TeamChanges } from './team-changes.ts';

/** A team whose members are known by name. */
export interface NamedTeam {
  readonly team: Team;
  readonly usernames: ReadonlyMap<string, string>;
}

/** Some lines of a team's history, and the cursor of what follows; undefined where nothing does. */
export interface TeamHistory {
  readonly lines: readonly TeamLogLine[];
  readonly next: string | undefined;
}

export interface TeamsDependencies {
  readonly teams: TeamStore;
  readonly users: UserStore;
  readonly changes: TeamChanges;
}

/** What can be read of teams. */
export class Teams {
  readonly #ports: TeamsDependencies;

  constructor(ports: TeamsDependencies) {
    this.#ports = ports;
  }

  /**
   * @throws NotFoundError when there is no such team.
   * @throws ForbiddenError when the caller is bound to another one (part 1, 7).
   */
  async get(reference: Reference, caller: TeamCaller): Promise<NamedTeam> {
    const team = await this.#ports.changes.present(reference, caller);
    const names = await this.#ports.users.names(team.members.map(({ userId }) => ({ id: userId })));
    return { team, usernames: new Map(names.map(({ id, username }) => [id, username])) };
  }

  /** All teams by creation, or the caller's own alone (K4). */
  async list({ boundTo }: Pick<TeamCaller, 'boundTo'>): Promise<readonly TeamSummary[]> {
    const teams = await this.#ports.teams.list();
    return boundTo === undefined ? teams : teams.filter(({ id }) => id === boundTo);
  }

  /**
   * A page of the team's history. What happens meanwhile moves no line to another page.
   *
   * @throws NotFoundError when there is no such team.
   * @throws ForbiddenError when the caller is bound to another one.
   * @throws InvalidError when the offset is none that an earlier answer gave.
   */
  async history(
    reference: Reference,
    { order, limit, offset }: Omit<TeamLogQuery, 'identifierType'>,
    caller: TeamCaller,
  ): Promise<TeamHistory> {
    const { id } = await this.#ports.changes.present(reference, caller);
    const found = await this.#ports.teams.history(id, { order, limit: limit + 1, after: positionOf(offset) });
    const lines = found.slice(0, limit);
    const last = lines.at(-1);
    return { lines, next: last === undefined || found.length <= limit ? undefined : formatLogPosition(last) };
  }

  /** One sentence for each routing rule that notifies the schedule or escalation (S12). */
  async usesOf(type: 'schedule' | 'escalation', id: string, exceptTeamId?: string): Promise<readonly string[]> {
    return (await this.#ports.teams.routingUses(type, id, exceptTeamId)).map(describeUse);
  }
}

function positionOf(offset: string | undefined): TeamLogPosition | undefined {
  if (offset === undefined) return undefined;
  const position = parseLogPosition(offset);
  if (position === undefined) throw InvalidError.ofFields({ offset: 'should be an offset of an earlier answer' });
  return position;
}

export const describeUse = ({ teamName, ruleName }: RoutingUse): string =>
  `Routing rule [${ruleName}] of team [${teamName}] notifies it.`;
