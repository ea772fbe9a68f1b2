import { type ServiceContext, SWEEP_TIMEOUT_MS } from '@tocsin/service';
import type { Scheduling } from '../schedules/client.ts';
import type { TeamParts } from './client.ts';
import type { TeamStore } from './store.ts';
import { activation, type Team } from './team.ts';

/** Real time after which the sweep finishes a creation or removal that no process has finished. */
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

/** The result of a creation: whole, taken over by a later attempt, or undone because scheduling refuses it for good. */
export type TeamCompletion = 'active' | 'overtaken' | 'refused';

/**
 * Creates and removes a team in all services that have a part of it. Every step may be repeated, by any process, so a crash between
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
    // The team was removed before its defaults were created a second time.
    await this.#ports.scheduling.releaseTeam(id);
    return 'overtaken';
  }

  /**
   * Finishes the removal of a `deleting` team.
   *
   * @throws UnavailableError when a service that has a part cannot be asked.
   */
  async remove(teamId: string): Promise<void> {
    await this.#ports.scheduling.releaseTeam(teamId);
    await this.#ports.integrations.disableOf(teamId);
    await this.#ports.policies.disableOf(teamId);
    await this.#ports.teams.endRemoval(teamId);
  }

  /**
   * Finishes every creation and removal that began at least `ageMs` ago. A failure does not delay the others. After `stopping`
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
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} teams are not finished`);
  }
}

/** Real time between two looks for abandoned teams. */
export const SWEEP_EVERY_MS = 2_000;

/** Adds a task that finishes abandoned creations and removals of teams. */
export function sweepTeams({ tasks }: Pick<ServiceContext, 'tasks'>, saga: Pick<TeamSaga, 'sweep'>): void {
  tasks.add({
    name: 'finish-teams',
    everyMs: SWEEP_EVERY_MS,
    timeoutMs: SWEEP_TIMEOUT_MS,
    activate: (stopping) => saga.sweep(undefined, stopping),
  });
}
