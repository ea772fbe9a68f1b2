import { activation, type Team } from '../domain/team.ts';
import type { Scheduling } from '../ports/scheduling.ts';
import type { TeamParts } from '../ports/team-parts.ts';
import type { TeamStore } from '../ports/team-store.ts';

/** Real time after which a change that nobody took to its end is taken up by the sweeper. */
export const ABANDONED_AFTER_MS = 10_000;

export interface TeamSagaDependencies {
  readonly teams: TeamStore;
  readonly scheduling: Scheduling;
  readonly integrations: TeamParts;
  readonly policies: TeamParts;
  readonly newId: () => string;
  /** The zone of a default routing rule. */
  readonly timezone: string;
}

/** What became of a creation: whole, left to a later attempt, or undone because it can never be. */
export type TeamCompletion = 'active' | 'overtaken' | 'refused';

/**
 * Takes the creation and the removal of a team through the services that hold a part of it. Every step may be repeated, by
 * any process, so a crash between two of them costs time only.
 */
export class TeamSaga {
  readonly #ports: TeamSagaDependencies;

  constructor(ports: TeamSagaDependencies) {
    this.#ports = ports;
  }

  /**
   * Takes a `creating` team to its end: forward whenever scheduling answers, back only when it says no for good.
   *
   * @throws UnavailableError when scheduling cannot be asked; the team stays as it is.
   */
  async complete({ id, name, attempt }: Team): Promise<TeamCompletion> {
    const defaults = await this.#ports.scheduling.ensureTeamDefaults({ id, name });
    if (defaults === 'refused') {
      const undone = await this.#ports.teams.beginRemoval(id, attempt);
      if (undone) await this.remove(id);
      return undone ? 'refused' : 'overtaken';
    }
    const change = activation(defaults, this.#ports.newId(), this.#ports.timezone);
    const outcome = await this.#ports.teams.activate(id, attempt, change);
    if (outcome !== 'gone') return outcome;
    // Whoever removed the team did so before its defaults were made a second time.
    await this.#ports.scheduling.releaseTeam(id);
    return 'overtaken';
  }

  /**
   * Takes a `deleting` team to its end; a removal that has begun only goes forward.
   *
   * @throws UnavailableError when a service that holds a part cannot be asked.
   */
  async remove(teamId: string): Promise<void> {
    await this.#ports.scheduling.releaseTeam(teamId);
    await this.#ports.integrations.disableOf(teamId);
    await this.#ports.policies.disableOf(teamId);
    await this.#ports.teams.endRemoval(teamId);
  }

  /**
   * Takes what was abandoned at least `ageMs` ago to its end. One that cannot be finished now does not keep the others
   * from it.
   *
   * @throws AggregateError with what kept each of them from its end.
   */
  async sweep(ageMs: number = ABANDONED_AFTER_MS): Promise<void> {
    const failures: unknown[] = [];
    for (const team of await this.#ports.teams.unfinished(ageMs)) {
      try {
        if (team.phase === 'creating') await this.complete(team);
        else await this.remove(team.id);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} teams wait for their other half`);
  }
}
