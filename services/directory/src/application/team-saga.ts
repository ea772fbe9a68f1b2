import { activation, type Team } from '../domain/team.ts';
import type { Scheduling } from '../ports/scheduling.ts';
import type { TeamParts } from '../ports/team-parts.ts';
import type { TeamStore } from '../ports/team-store.ts';

/** Real time after which the sweep finishes a creation or removal that nobody has finished. */
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
 * Creates and removes a team in all services that hold a part of it. Every step may be repeated, by any process, so a crash between
 * two of them costs only time.
 */
export class TeamSaga {
  readonly #ports: TeamSagaDependencies;

  constructor(ports: TeamSagaDependencies) {
    this.#ports = ports;
  }

  /**
   * Finishes a `creating` team: makes it active once scheduling answers, and removes it only if scheduling refuses for good.
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
   * Finishes the removal of a `deleting` team.
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
   * Finishes every creation and removal that began at least `ageMs` ago. One that fails does not hold up the others. After `stopping`
   * none is begun.
   *
   * @throws AggregateError with all failures.
   */
  async sweep(ageMs: number = ABANDONED_AFTER_MS, stopping?: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    for (const team of await this.#ports.teams.unfinished(ageMs)) {
      if (stopping?.aborted === true) break;
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
