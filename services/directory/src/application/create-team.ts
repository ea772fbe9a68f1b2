import type { Clock } from '@tocsin/clock';
import type { CreateTeamBody } from '@tocsin/contracts';
import { BadGatewayError, ConflictError } from '@tocsin/errors';
import type { Team, TeamDraft } from '../domain/team.ts';
import type { TeamStore } from '../ports/team-store.ts';
import type { UserStore } from '../ports/user-store.ts';
import { namedMembers } from './named-members.ts';
import { unknownUser } from './not-found.ts';
import type { TeamSaga } from './team-saga.ts';

export interface CreateTeamDependencies {
  readonly users: UserStore;
  readonly teams: TeamStore;
  readonly saga: TeamSaga;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** Creates a team together with its schedule, its escalation and its default routing rule (S11). */
export class CreateTeam {
  readonly #ports: CreateTeamDependencies;

  constructor(ports: CreateTeamDependencies) {
    this.#ports = ports;
  }

  /**
   * Resolves when the team is whole. A repeat after a failure completes what the first request began; of several requests
   * for one name at most one succeeds. `createdBy` is the name of the key.
   *
   * @throws ConflictError when the name is taken.
   * @throws NotFoundError when a member does not exist.
   * @throws UnavailableError when scheduling cannot be asked; the team is then completed later.
   */
  async run(body: CreateTeamBody, createdBy: string): Promise<Pick<Team, 'id' | 'name'>> {
    const { members } = await namedMembers(this.#ports.users, body.members ?? []);
    const { name, description = '' } = body;
    const team = await this.#begin({
      id: this.#ports.newId(),
      name,
      description,
      members,
      attempt: this.#ports.newId(),
      createdBy,
      createdAt: this.#ports.clock.now(),
    });
    const completion = await this.#ports.saga.complete(team);
    if (completion === 'overtaken') throw taken(name);
    if (completion === 'refused') throw new BadGatewayError(`Team [${name}] could not be given its schedule.`);
    return team;
  }

  async #begin(draft: TeamDraft): Promise<Team> {
    const beginning = await this.#ports.teams.begin(draft);
    if (beginning.kind !== 'leaving') return begun(beginning, draft.name);
    await this.#ports.saga.remove(beginning.team.id);
    return begun(await this.#ports.teams.begin(draft), draft.name);
  }
}

function begun(beginning: Awaited<ReturnType<TeamStore['begin']>>, name: string): Team {
  switch (beginning.kind) {
    case 'begun':
      return beginning.team;
    case 'unknown-member':
      throw unknownUser(beginning.userId);
    case 'taken':
    case 'leaving':
      throw taken(name);
  }
}

const taken = (name: string) => new ConflictError(`Team with name [${name}] already exists.`);
