import { InUseError } from '@tocsin/errors';
import type { Reference } from '../domain/reference.ts';
import type { Team } from '../domain/team.ts';
import type { Scheduling } from '../ports/scheduling.ts';
import type { TeamStore } from '../ports/team-store.ts';
import { unknownTeam } from './not-found.ts';
import type { TeamSaga } from './team-saga.ts';
import { describeUse } from './teams.ts';

export interface DeleteTeamDependencies {
  readonly teams: TeamStore;
  readonly scheduling: Scheduling;
  readonly saga: TeamSaga;
}

/** Deletes a team with its defaults, memberships and routing rules; its integrations and policies stop (S12). */
export class DeleteTeam {
  readonly #ports: DeleteTeamDependencies;

  constructor(ports: DeleteTeamDependencies) {
    this.#ports = ports;
  }

  /**
   * Resolves when every service has let go of the team. A repeat after a failure goes on where the first request ended.
   *
   * @throws NotFoundError when there is no such team.
   * @throws InUseError when something else uses the team, or its default schedule or escalation.
   * @throws UnavailableError when a service that holds a part cannot be asked; once the removal has begun it is completed
   *   later.
   */
  async run(reference: Reference): Promise<void> {
    const team = await this.#ports.teams.findRemovable(reference);
    if (team === undefined) throw unknownTeam(reference);
    if (team.phase === 'active') {
      await this.#refuseWhileInUse(team);
      await this.#ports.teams.beginRemoval(team.id, team.attempt);
    }
    await this.#ports.saga.remove(team.id);
  }

  async #refuseWhileInUse({ id, name, defaults }: Team): Promise<void> {
    const routed =
      defaults === undefined
        ? []
        : [
            ...(await this.#ports.teams.routingUses('schedule', defaults.scheduleId, id)),
            ...(await this.#ports.teams.routingUses('escalation', defaults.escalationId, id)),
          ];
    const uses = [...routed.map(describeUse), ...(await this.#ports.scheduling.usesOf('team', id))];
    if (uses.length > 0) throw new InUseError(`Team [${name}] is still in use: ${uses.join(' ')}`);
  }
}
